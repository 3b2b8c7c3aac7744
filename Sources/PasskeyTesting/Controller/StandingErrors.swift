public import PasskeyAuthorization

// The names that users of other virtual controllers know. All are ways to say `standing`.

extension VirtualAuthorizationController {
    /// What registrations fail with until it is changed; `nil` for success.
    public var createError: AuthorizationErrorType? {
        get { standing[.create]?.errorType }
        set { setError(newValue, of: .create) }
    }

    /// What sign-ins fail with until it is changed; `nil` for success.
    public var authorizeError: AuthorizationErrorType? {
        get { standing[.authorize]?.errorType }
        set { setError(newValue, of: .authorize) }
    }

    /// What sign-ins with autofill fail with until it is changed; `nil` for success.
    public var authorizeWithAutoFillError: AuthorizationErrorType? {
        get { standing[.authorizeWithAutoFill]?.errorType }
        set { setError(newValue, of: .authorizeWithAutoFill) }
    }

    /// How long registrations take before they succeed or fail.
    public var createDelay: Duration {
        get { standing[.create]?.delay ?? .zero }
        set { standing[.create, default: .succeeds].delay = newValue }
    }

    /// How long sign-ins take before they succeed or fail.
    public var authorizeDelay: Duration {
        get { standing[.authorize]?.delay ?? .zero }
        set { standing[.authorize, default: .succeeds].delay = newValue }
    }

    /// How long sign-ins with autofill take before the user picks, or before they fail; zero for until the user picks.
    public var authorizeWithAutoFillDelay: Duration {
        get { standing[.authorizeWithAutoFill]?.delay ?? .zero }
        set { standing[.authorizeWithAutoFill, default: .succeeds].delay = newValue }
    }

    private func setError(_ type: AuthorizationErrorType?, of operation: AuthorizationOperation) {
        standing[operation, default: .succeeds].ending = type.map { .fails($0) } ?? .succeeds
    }
}
