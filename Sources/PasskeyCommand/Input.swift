import Foundation

/// Files that a command reads.
enum Input {
    /// More than any response or case file has; a device file without an end is refused rather than read for ever.
    static let maximumSize = 256 << 20

    /// Reads a file, or standard input for `-`.
    static func bytes(_ path: String, for command: String) throws(CommandError) -> [UInt8] {
        let name = path == "-" ? "standard input" : visible(path)
        do {
            let handle = path == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: url(path))
            var bytes: [UInt8] = []
            // Room for the whole file at once; what has no size, or a wrong one, grows.
            let size = path == "-" ? 0 : try url(path).resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
            bytes.reserveCapacity(min(max(size, 0), maximumSize))
            while let piece = try handle.read(upToCount: 1 << 16), !piece.isEmpty {
                bytes.append(contentsOf: piece)
                guard bytes.count <= maximumSize else {
                    throw CommandError.usage("passkey \(command): \(name) has more than \(maximumSize >> 20) MiB")
                }
            }
            return bytes
        } catch let error as CommandError {
            throw error
        } catch {
            throw .usage("passkey \(command): \(name) cannot be read: \(SystemFault.reason(error))")
        }
    }

    static func url(_ path: String) -> URL { URL(fileURLWithPath: path) }
}

/// What the system says of a failure, inside Foundation's errors.
enum SystemFault {
    /// The number (`errno`), if there is one.
    static func code(of error: any Error) -> Int32? {
        let error = error as NSError
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
        let posix = [error, underlying].compactMap { $0 }.first { $0.domain == NSPOSIXErrorDomain }
        return posix.map { Int32($0.code) }
    }

    /// The reason in one line.
    static func reason(_ error: any Error) -> String {
        if let code = code(of: error).flatMap(POSIXErrorCode.init(rawValue:)) {
            let text = POSIXError(code).localizedDescription
            let preface = "The operation could not be completed. "
            return text.hasPrefix(preface) ? String(text.dropFirst(preface.count)) : text
        }
        return (error as NSError).localizedDescription.split(separator: "\n").joined(separator: " ")
    }
}
