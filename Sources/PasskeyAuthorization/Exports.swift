@_exported public import PasskeyModel
