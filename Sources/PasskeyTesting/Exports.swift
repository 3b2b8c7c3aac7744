@_exported public import PasskeyAuthorization
