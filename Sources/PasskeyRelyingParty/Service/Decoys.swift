import PasskeyCrypto
import PasskeyModel

/// Credentials of a user who has none, the same each time the name is typed.
struct Decoys {
    private let name: String
    private let key: [UInt8]

    init(_ name: String, _ key: [UInt8]) {
        self.name = name
        self.key = key
    }

    /// The user, whom nobody is.
    func userHandle() throws(PasskeyServiceError) -> UserHandle {
        let bytes = try draw("user", 32)
        return try PasskeyServiceError.options { () throws(ModelError) in try UserHandle(bytes: bytes) }
    }

    /// One credential, and a second one for every fourth name, as authenticators make them: their IDs have the lengths of
    /// synchronised passkeys mostly, and else of security keys.
    func descriptors() throws(PasskeyServiceError) -> [PublicKeyCredentialDescriptor] {
        let shape = try draw("shape", 4)
        var descriptors: [PublicKeyCredentialDescriptor] = []
        for index in 0..<(shape[0] < 64 ? 2 : 1) {
            let isKey = shape[1 + index] < 48
            let count = isKey ? 64 : shape[1 + index] < 160 ? 20 : 32
            descriptors.append(
                PublicKeyCredentialDescriptor(
                    id: try draw("credential \(index)", count),
                    transports: isKey ? [.nfc, .usb] : [.hybrid, .internal]
                )
            )
        }
        return descriptors
    }

    private func draw(_ purpose: String, _ count: Int) throws(PasskeyServiceError) -> [UInt8] {
        do throws(CryptoError) {
            return try HKDF.derive(
                .sha256,
                secret: key,
                salt: [UInt8](name.utf8),
                info: [UInt8]("passkey decoy \(purpose)".utf8),
                count: count
            )
        } catch {
            throw PasskeyServiceError(.store(StoreError(.unavailable, "\(error)")))
        }
    }
}
