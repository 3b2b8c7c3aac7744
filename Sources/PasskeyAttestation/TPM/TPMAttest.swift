import PasskeyWire

/// What a TPM says and signs (TPM 2.0 Library, Part 2, §10.12.8 TPMS_ATTEST), of the type that certifies a key.
struct TPMAttest {
    /// TPM_GENERATED_VALUE: "\u{ff}TCG", by which a TPM marks what it made itself.
    static let generatedValue: UInt32 = 0xff54_4347

    /// TPM_ST_ATTEST_CERTIFY (§6.9).
    static let certifyType: UInt16 = 0x8017

    let magic: UInt32
    let type: UInt16
    let qualifiedSigner: [UInt8]
    let extraData: [UInt8]
    let clockInfo: [UInt8]
    let firmwareVersion: [UInt8]

    /// TPMS_CERTIFY_INFO's name; empty for another type.
    let name: [UInt8]

    /// TPMS_CERTIFY_INFO's qualified name; empty for another type.
    let qualifiedName: [UInt8]

    /// Reads a structure, with nothing after it; of another type than ``certifyType`` the last part is not looked at.
    init(_ bytes: [UInt8]) throws(WireError) {
        self = try bytes.decode(TPMAttest.init)
    }

    private init(_ reader: inout ByteReader) throws(WireError) {
        magic = try reader.readUInt32()
        type = try reader.readUInt16()
        qualifiedSigner = try reader.readSized()
        extraData = try reader.readSized()
        // TPMS_CLOCK_INFO (§10.11.1): clock, resetCount, restartCount, safe.
        clockInfo = try reader.readArray(17)
        firmwareVersion = try reader.readArray(8)
        guard type == Self.certifyType else {
            name = []
            qualifiedName = []
            _ = reader.readRemaining()
            return
        }
        name = try reader.readSized()
        qualifiedName = try reader.readSized()
    }
}
