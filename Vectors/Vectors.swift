import Foundation

/// Where the case files are.
///
/// Tests, the fuzz replays and the command's own tests read the files where they stand in the package, so that a new
/// one needs no list to be edited.
public enum Vectors {
    /// The `Vectors` folder of this package.
    public static let root = String(#filePath.dropLast("/Vectors.swift".count))

    /// The folder of case files that are part of this package.
    public static let cases = root + "/cases"

    /// The folder of what authenticator profiles emit, as case files.
    public static let profiles = root + "/profiles"

    /// The read-only folder beside the package with what may not be committed, or `nil` when it is absent.
    public static let shared: String? = folder(root + "/../../shared/vectors")

    /// Whether the absence of something is a failure: `PASSKEY_REQUIRE` lists, with commas, what must be present.
    public static func requires(_ name: String) -> Bool {
        (ProcessInfo.processInfo.environment["PASSKEY_REQUIRE"] ?? "").split(separator: ",").contains { $0 == name }
    }

    /// The bytes of a file.
    ///
    /// - Parameter path: An absolute path.
    /// - Returns: All of them.
    /// - Throws: What Foundation says of a file that cannot be read.
    public static func bytes(_ path: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private static func folder(_ path: String) -> String? {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) == nil ? nil : path
    }
}
