import Foundation
import PasskeyCrypto
import PasskeyModel
import PasskeyTesting
import PasskeyWire
import Testing

/// A credential, and statements about it.
struct AttestedCredential {
    static let aaguid = AAGUID("8c1f2a55-7a3e-4c7e-9a54-2f0c64d3b0aa") ?? .zero
    static let clientDataHash = [UInt8](repeating: 0x5e, count: 32)
    static let now = Timestamp(millisecondsSince1970: 1_800_000_000_000)

    let key: PrivateKey
    let data: AuthenticatorData

    /// A credential whose key is the same in each run, but for RSA's.
    init(_ algorithm: COSEAlgorithmIdentifier = .es256) throws {
        switch algorithm {
        case .es256, .esp256, .es384, .es512:
            key = try PrivateKey(ec: algorithm, scalar: [UInt8](repeating: 0x11, count: 32))
        default: key = try PrivateKey.generate(algorithm)
        }
        data = try AuthenticatorData(
            rpIDHash: sha256(Array(World.rpID.utf8)),
            flags: [.userPresent],
            signCount: 0,
            attestedCredentialData: AttestedCredentialData(
                aaguid: Self.aaguid,
                credentialID: [1, 2, 3],
                credentialPublicKey: key.publicKey.encoded
            )
        )
    }

    /// What most formats sign.
    var attestedBytes: [UInt8] { data.bytes + Self.clientDataHash }

    func statement(_ profile: AttestationProfile, seed: String = "seed") throws -> CBOR {
        try profile.statement(
            authenticatorData: data,
            clientDataHash: Self.clientDataHash,
            privateKey: key.pkcs8(),
            algorithm: key.algorithm,
            random: SeededRandom.source(seed: seed),
            clock: { Self.now }
        )
    }

    func certificates(_ profile: AttestationProfile) throws -> [Certificate] {
        try statement(profile).x5c().map { try Certificate(der: $0) }
    }
}

extension CBOR {
    /// The certificates of a statement.
    func x5c() throws -> [[UInt8]] {
        try #require(self["x5c"]?.elements).map { try #require($0.byteArray) }
    }

    func bytes(_ name: String) throws -> [UInt8] {
        try #require(self[.text(name)]?.byteArray)
    }

    func algorithm() throws -> COSEAlgorithmIdentifier {
        COSEAlgorithmIdentifier(rawValue: try #require(self["alg"]?.int))
    }
}

/// The command `openssl`, where it is installed: the other opinion on certificates.
struct OpenSSLCommand {
    static let isInstalled = (try? run(["version"]).isSuccess) ?? false

    let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "passkey-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: directory) }

    /// Writes a file and gives its path.
    func file(_ name: String, _ text: String) throws -> String {
        let url = directory.appending(path: name)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    static func run(_ arguments: [String]) throws -> (isSuccess: Bool, output: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus == 0, String(decoding: data, as: UTF8.self))
    }
}
