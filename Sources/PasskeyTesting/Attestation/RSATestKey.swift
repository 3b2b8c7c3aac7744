import PasskeyWire

/// The one RSA key of all authorities: 2048 bits, made for these tests and known to everybody.
enum RSATestKey {
    static let p = bytes(
        """
        f5f8d7938a1d4cf926f01865776ccd9e11cbcd068283849acc96040c08489337e54d7362d4b8748faabd8807d5be4c3d
        d7d4d66addf93136795682302e10ce1b0e0b4d103cdf9194a650a7da4cf474212c873c8c140c713d3a7481c8bfc9c49f
        7b7a7092073a236f857d6c8ff280dccc898cb4836d8557f092a3929afcb42d75
        """
    )

    static let q = bytes(
        """
        d56249883eebe47f8f4d0b758b26ba047be03f5fa5689c3c0c1463c08479546948821cfb084555b152038b49128b6cc0
        e3af0aa043caa064ec03bb7a5ecd9edcfc9ba4b569efa6b5e0909d52dda3b5d814d861716e74013bdd188d2ebd4a0135
        25fcecbf7a5c71e48b2782588dd2c854c3eb6c079363c1d84532efc815906cff
        """
    )

    private static func bytes(_ text: String) -> [UInt8] {
        Hex.decode(text.filter { $0 != "\n" }) ?? []
    }
}
