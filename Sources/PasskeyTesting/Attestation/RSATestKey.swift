import PasskeyWire

/// The RSA keys of all authorities: 2048 bits, made for these tests and known to everybody.
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

    /// The primes of another key, for what must not be signed by the first.
    static let otherP = bytes(
        """
        f4ef993bc7d55be4ef93c761e1198fecb92442491c45061881adfeb8e394857749c3981a1b9161c0caeb15b371cd35b6
        3a02f0d900b047f5ef67ddad530d03b5509c2578019950df68832086b44fbb450bb4ac460f528df41d7979878d139c28
        cba4d3956f64d608d7b7f7a153f2d7c3bc7dc8c7d567f7ff7ff344c20c55a9f9
        """
    )

    static let otherQ = bytes(
        """
        f1398fa9addbccea66e788a56ebf581dc19fe7c867a0c48f10c6f58dfef5a420442aa737afb202dee58d05d00b519a0e
        0d6e1046c77038d0282947453d7ee58a59bf8e7b6269a1c696e196b36c2532780feb9dcac4e5e04783e9bccc8501288b
        c41c7b459ffbfa588ed89fed9fb300bf24e1cc2d8d8638fef3ab9d259e0d1873
        """
    )

    private static func bytes(_ text: String) -> [UInt8] {
        Hex.decode(text.filter { $0 != "\n" }) ?? []
    }
}
