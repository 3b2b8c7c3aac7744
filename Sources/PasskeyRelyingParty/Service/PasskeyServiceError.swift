public import PasskeyModel

/// Why a ``PasskeyService`` refused or failed.
public struct PasskeyServiceError: Error, Sendable, CustomStringConvertible {
    /// What a program branches on.
    @nonexhaustive
    public enum Reason: Sendable {
        /// The token named no ceremony that could be finished.
        case ceremony(CeremonyFault)

        /// The registration was refused, and the step is there.
        case registration(RegistrationError)

        /// The sign-in was refused, and the step is there.
        case authentication(AuthenticationError)

        /// The application's own checks refused.
        case application

        /// The options of a ceremony cannot be.
        case options(ModelError)

        /// A store failed; nothing was changed that was not acknowledged.
        case store(StoreError)

        /// Other sign-ins with the credential changed its record again and again.
        case contended
    }

    /// What a program branches on.
    public let reason: Reason

    /// What the client's authenticators may be told (`#sctn-signal-methods`), if the page wants to: that a credential is
    /// gone.
    ///
    /// Sending it tells whoever asks which credentials exist.
    public let signal: PasskeySignal?

    init(_ reason: Reason, signal: PasskeySignal? = nil) {
        self.reason = reason
        self.signal = signal
    }

    /// What may be told to a browser; `nil` where the fault is the server's.
    public var code: PublicErrorCode? {
        switch reason {
        case .ceremony: .ceremonyExpired
        case .registration(let error): error.code
        case .authentication(let error): error.code
        case .application, .contended: .authenticationFailed
        case .options, .store: nil
        }
    }

    /// The status of HTTP that fits.
    public var httpStatus: Int {
        switch reason {
        case .ceremony, .registration, .authentication: 400
        case .application: 403
        case .contended: 409
        case .options: 500
        case .store(let error): error.code == .duplicate ? 409 : 503
        }
    }

    /// The error in one line, for the log.
    public var description: String {
        switch reason {
        case .ceremony(let fault): "the ceremony cannot be finished: \(fault.rawValue)"
        case .registration(let error): "\(error)"
        case .authentication(let error): "\(error)"
        case .application: "the application's own checks refused"
        case .options(let error): "\(error)"
        case .store(let error): "store: \(error)"
        case .contended: "other sign-ins changed the record again and again"
        }
    }
}
