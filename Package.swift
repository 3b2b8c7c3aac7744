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
    ],
    targets: [
        .target(name: "PasskeyWire", swiftSettings: borrowing),
        .target(
            name: "PasskeyVectors",
            path: "Vectors",
            exclude: ["README.md", "cases"],
            sources: ["Vectors.swift"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PasskeyWireTests",
            dependencies: ["PasskeyWire", "PasskeyVectors"],
            swiftSettings: borrowing
        ),
    ],
    swiftLanguageModes: [.v6]
)
