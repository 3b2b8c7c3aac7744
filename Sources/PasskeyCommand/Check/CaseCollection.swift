import Foundation
import PasskeyCases
import PasskeyWire

/// The case files that were named.
struct CaseCollection {
    /// A file and where it was found.
    struct File {
        var path: String
        var content: CaseFile
    }

    let files: [File]

    /// Reads files, and the case files in folders and their sub-folders.
    ///
    /// Other JSON in a folder is passed over. A file that was named must be a case file, and one that calls itself so
    /// must be readable wherever it stands: a broken file is not a file without cases.
    init(_ paths: [String]) throws(CommandError) {
        var files: [File] = []
        for path in paths {
            guard FileManager.default.fileExists(atPath: path) else {
                throw .usage("passkey check: \(visible(path)) does not exist")
            }
            let values = try? Input.url(path).resourceValues(forKeys: [.isDirectoryKey])
            if values?.isDirectory == true {
                let found = try CaseCollection.folder(path)
                guard !found.isEmpty else { throw .usage("passkey check: no case file in \(visible(path))") }
                files += found
            } else {
                let bytes = try Input.bytes(path, for: "check")
                files.append(File(path: path, content: try CaseCollection.read(bytes, path)))
            }
        }
        self.files = files
    }

    private static func folder(_ path: String) throws(CommandError) -> [File] {
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: path) else {
            throw .usage("passkey check: \(visible(path)) cannot be read")
        }
        var files: [File] = []
        for name in names.sorted() where name.hasSuffix(".json") {
            let file = path.hasSuffix("/") ? path + name : path + "/" + name
            let bytes = try Input.bytes(file, for: "check")
            if let json = try? JSONValue(json: bytes, maximumDepth: 64) {
                guard CaseFile.isCaseFile(json) else { continue }
            } else {
                guard bytes.containsText(CaseFile.format) else { continue }
            }
            files.append(File(path: file, content: try read(bytes, file)))
        }
        return files
    }

    private static func read(_ bytes: [UInt8], _ path: String) throws(CommandError) -> CaseFile {
        do throws(CaseFileError) {
            return try CaseFile(json: bytes)
        } catch {
            throw .usage("passkey check: \(visible(path)): \(visible(error.reason))")
        }
    }
}

extension [UInt8] {
    fileprivate func containsText(_ text: String) -> Bool {
        Data(self).range(of: Data(text.utf8)) != nil
    }
}
