import PasskeyModel
import PasskeySQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// Keeps credentials in a database until it is killed, and says of each that it begins, and then that it is kept.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@main
struct StoreClient {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let seed = UInt64(arguments[2]) else {
            say("usage: StoreClient FILE NUMBER")
            return
        }
        let store = try SQLiteStore(path: arguments[1])
        // A public key that is one: nothing is verified with it.
        var record = try CredentialRecord(
            id: [0],
            publicKey: key,
            signCount: 0,
            userHandle: UserHandle(bytes: [1])
        )
        for number in UInt64(0)... {
            let id = [seed, number].flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
            record.id = id
            say("begins \(Base64URL.encode(id))")
            try await store.insert(StoredCredential(record, name: "\(number)"))
            say("kept \(Base64URL.encode(id))")
        }
    }

    /// The generator of P-256 as a COSE_Key.
    private static var key: [UInt8] {
        get throws {
            let x = try Base64URL.decode("axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY")
            let y = try Base64URL.decode("T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU")
            let map: CBOR = [1: 2, 3: -7, -1: 1, -2: .bytes(x), -3: .bytes(y)]
            return try map.encoded(.ctap2)
        }
    }

    /// Writes a line at once: nothing may be lost in a buffer.
    private static func say(_ line: String) {
        let bytes = [UInt8](line.utf8) + [0x0A]
        _ = unsafe write(1, bytes, bytes.count)
    }
}
