import CPasskeyOpenSSL

/// Runs calls to libcrypto between two clearings of the thread's error queue.
///
/// What an earlier caller left is not taken for a reason of this call, and what this call leaves does not leak into the
/// next: a TLS library on the same thread would take it for its own.
func withCleanErrorQueue<Result: ~Copyable>(
    _ body: () throws(CryptoError) -> Result
) throws(CryptoError) -> Result {
    ERR_clear_error()
    defer { ERR_clear_error() }
    return try body()
}

extension CryptoError {
    /// Makes an error of the reasons that libcrypto left in the thread's queue, which is empty afterwards.
    ///
    /// - Parameters:
    ///   - code: The code, unless the queue says that memory ran out: then it is `failed`.
    ///   - call: What failed.
    /// - Returns: The error.
    static func takingQueue(_ code: Code, _ call: String) -> CryptoError {
        let reasons = takeReasons()
        let detail = reasons.texts.isEmpty ? call : "\(call): \(reasons.texts.joined(separator: ", "))"
        return CryptoError(reasons.outOfMemory ? .failed : code, detail)
    }

    /// Empties the queue after libcrypto did not verify a signature.
    ///
    /// A malformed signature, a wrong one and a failed allocation all come back as "not 1"; only the last is an error.
    /// Some allocations fail without a word in the queue: then the signature is refused, which is safe.
    static func throwIfOutOfMemory(_ call: String) throws(CryptoError) {
        let reasons = takeReasons()
        guard !reasons.outOfMemory else { throw CryptoError(.failed, "\(call): out of memory") }
    }

    /// Whether the thread's queue is empty, as every operation must leave it.
    static var isQueueEmpty: Bool { ERR_peek_error() == 0 }

    private static func takeReasons() -> (texts: [String], outOfMemory: Bool) {
        var texts: [String] = []
        var outOfMemory = false
        // The queue is a ring of 16.
        while case let code = ERR_get_error(), code != 0 {
            outOfMemory = outOfMemory || passkey_error_is_allocation(code) == 1
            if let reason = unsafe ERR_reason_error_string(code) {
                unsafe texts.append(String(cString: reason))
            } else {
                texts.append("error \(String(code, radix: 16))")
            }
        }
        return (texts, outOfMemory)
    }
}
