import PasskeyAuthorization

/// As JSON an outcome is an object with its kind, and a delay is in milliseconds.
extension CeremonyOutcome: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, type, code, message, underlying, exception, status, delayMs
    }

    private enum Kind: String, Codable {
        case success, error, hang
    }

    /// Reads an outcome.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let delay = try container.decodeIfPresent(UInt32.self, forKey: .delayMs) ?? 0
        let ending: Ending
        switch try container.decode(Kind.self, forKey: .kind) {
        case .success: ending = .succeeds
        case .hang: ending = .hangs
        case .error:
            if let code = try container.decodeIfPresent(AuthorizationErrorCode.self, forKey: .code) {
                ending = .failsWithCode(
                    code,
                    message: try container.decodeIfPresent(String.self, forKey: .message),
                    underlying: try container.decodeIfPresent(AuthorizationUnderlyingError.self, forKey: .underlying)
                )
            } else if let name = try container.decodeIfPresent(ClientError.Name.self, forKey: .exception) {
                ending = .failsWithException(name)
            } else if let status = try container.decodeIfPresent(CTAPStatus.self, forKey: .status) {
                ending = .failsWithStatus(status)
            } else {
                ending = .fails(try container.decode(AuthorizationErrorType.self, forKey: .type))
            }
        }
        self.init(ending, delay: .milliseconds(delay))
    }

    /// Writes the outcome; a delay in whole milliseconds.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch ending {
        case .succeeds: try container.encode(Kind.success, forKey: .kind)
        case .hangs: try container.encode(Kind.hang, forKey: .kind)
        case .fails(let type):
            try container.encode(Kind.error, forKey: .kind)
            try container.encode(type, forKey: .type)
        case .failsWithCode(let code, let message, let underlying):
            try container.encode(Kind.error, forKey: .kind)
            try container.encode(code, forKey: .code)
            try container.encodeIfPresent(message, forKey: .message)
            try container.encodeIfPresent(underlying, forKey: .underlying)
        case .failsWithException(let name):
            try container.encode(Kind.error, forKey: .kind)
            try container.encode(name, forKey: .exception)
        case .failsWithStatus(let status):
            try container.encode(Kind.error, forKey: .kind)
            try container.encode(status, forKey: .status)
        }
        let milliseconds = UInt32(milliseconds: delay)
        if milliseconds > 0 { try container.encode(milliseconds, forKey: .delayMs) }
    }
}
