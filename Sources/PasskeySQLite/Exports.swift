@_exported public import PasskeyRelyingParty
