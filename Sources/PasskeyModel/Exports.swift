@_exported public import PasskeyWire
