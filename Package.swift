// swift-tools-version: 6.3
import PackageDescription

/// What every Swift target is built with.
///
/// Warnings are errors in continuous integration alone, so that the next compiler's new warning does not break whoever
/// depends on this package by path.
let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .strictMemorySafety(),
    ] + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// Targets that parse borrowed bytes declare types that cannot escape.
let borrowing = strict + [.enableExperimentalFeature("Lifetimes")]

let package = Package(
    name: "swift-passkey",
    platforms: [.macOS(.v13), .macCatalyst(.v16), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "PasskeyWire", targets: ["PasskeyWire"]),
        .library(name: "PasskeyModel", targets: ["PasskeyModel"]),
        .library(name: "PasskeyRelyingParty", targets: ["PasskeyRelyingParty"]),
        .library(name: "PasskeyAttestation", targets: ["PasskeyAttestation"]),
        .library(name: "PasskeySQLite", targets: ["PasskeySQLite"]),
        .library(name: "PasskeyAuthorization", targets: ["PasskeyAuthorization"]),
        .library(name: "PasskeyTesting", targets: ["PasskeyTesting"]),
        .executable(name: "passkey", targets: ["PasskeyCommand"]),
    ],
    targets: [
        .systemLibrary(
            name: "CPasskeyOpenSSL",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .yum(["openssl-devel"]), .brew(["openssl@3"])]
        ),
        // No pkgConfig: where it is missing, every package that depends on this one would be warned.
        .systemLibrary(
            name: "CPasskeySQLite",
            providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"]), .brew(["sqlite"])]
        ),
        .target(name: "PasskeySystem", swiftSettings: strict),
        .target(name: "PasskeyWire", swiftSettings: borrowing),
        .target(
            name: "PasskeyCrypto",
            dependencies: [
                "PasskeyWire", "PasskeySystem",
                .target(name: "CPasskeyOpenSSL", condition: .when(platforms: [.linux, .macOS])),
            ],
            swiftSettings: strict
        ),
        .target(name: "PasskeyModel", dependencies: ["PasskeyWire", "PasskeySystem"], swiftSettings: strict),
        .target(
            name: "PasskeyRelyingParty",
            dependencies: ["PasskeyModel", "PasskeyCrypto", "PasskeyWire"],
            swiftSettings: strict
        ),
        .target(
            name: "PasskeyAttestation",
            dependencies: ["PasskeyRelyingParty", "PasskeyModel", "PasskeyCrypto", "PasskeySystem", "PasskeyWire"],
            swiftSettings: strict
        ),
        .target(
            name: "PasskeySQLite",
            dependencies: ["PasskeyRelyingParty", "PasskeyModel", "PasskeySystem", "PasskeyWire", "CPasskeySQLite"],
            swiftSettings: strict
        ),
        .target(name: "PasskeyAuthorization", dependencies: ["PasskeyModel"], swiftSettings: strict),
        .target(
            name: "PasskeyTesting",
            dependencies: ["PasskeyAuthorization", "PasskeyModel", "PasskeyCrypto", "PasskeySystem", "PasskeyWire"],
            swiftSettings: strict
        ),
        .target(
            name: "PasskeyCases",
            dependencies: [
                "PasskeyAttestation", "PasskeyRelyingParty", "PasskeyTesting", "PasskeyModel", "PasskeyCrypto",
                "PasskeySystem", "PasskeyWire",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "PasskeyCommand",
            dependencies: [
                "PasskeyCases", "PasskeyAttestation", "PasskeyRelyingParty", "PasskeyTesting", "PasskeyAuthorization",
                "PasskeyModel", "PasskeyCrypto", "PasskeySystem", "PasskeyWire",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "PasskeyVectors",
            path: "Vectors",
            exclude: ["README.md", "cases", "profiles", "refusals.json"],
            sources: ["Vectors.swift"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PasskeyWireTests",
            dependencies: ["PasskeyWire", "PasskeyVectors"],
            swiftSettings: borrowing
        ),
        .testTarget(
            name: "PasskeyCryptoTests",
            dependencies: ["PasskeyCrypto", "PasskeySystem", "PasskeyWire", "PasskeyVectors"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PasskeyModelTests",
            dependencies: ["PasskeyModel", "PasskeyWire", "PasskeyVectors"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "StoreClient",
            dependencies: ["PasskeySQLite", "PasskeyModel", "PasskeyWire"],
            path: "Tests/StoreClient",
            swiftSettings: strict
        ),
        .testTarget(
            name: "PasskeyStoreTests",
            dependencies: [
                "StoreClient", "PasskeySQLite", "PasskeyRelyingParty", "PasskeyTesting", "PasskeyModel",
                "PasskeyCrypto",
                "PasskeySystem",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PasskeyRelyingPartyTests",
            dependencies: [
                "PasskeyRelyingParty", "PasskeyTesting", "PasskeyCases", "PasskeyModel", "PasskeyCrypto",
                "PasskeyWire", "PasskeyVectors",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PasskeyAttestationTests",
            dependencies: [
                "PasskeyAttestation", "PasskeyRelyingParty", "PasskeyTesting", "PasskeyCases", "PasskeyModel",
                "PasskeyCrypto", "PasskeyWire", "PasskeyVectors",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PasskeyTestingTests",
            dependencies: [
                "PasskeyTesting", "PasskeyAuthorization", "PasskeyRelyingParty", "PasskeyModel", "PasskeyCrypto",
                "PasskeySystem", "PasskeyWire", "PasskeyVectors",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "RelyingPartyClient",
            dependencies: ["PasskeyRelyingParty"],
            path: "Tests/RelyingPartyClient",
            swiftSettings: strict
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "PasskeyCommand", "RelyingPartyClient", "PasskeyTesting", "PasskeyCases", "PasskeyWire",
                "PasskeyVectors",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PasskeyEndToEndTests",
            dependencies: [
                "PasskeyCases", "PasskeyAttestation", "PasskeyTesting", "PasskeyAuthorization", "PasskeyRelyingParty",
                "PasskeyModel", "PasskeyCrypto", "PasskeyWire", "PasskeyVectors",
            ],
            exclude: ["Peers"],
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)
