import PasskeyCrypto

/// How a TPM and its vendor write what the format leaves open.
public struct TPMShape: Hashable, Sendable, Codable {
    /// How the vendor names the TPM in Subject Alternative Name (TCG EK Credential Profile §3.2.9).
    @nonexhaustive
    public enum SubjectAltName: String, Hashable, Sendable, Codable, CaseIterable {
        /// One directory name of three relative names with one attribute each.
        case separate

        /// One directory name of one relative name with three attributes.
        case multiValued

        /// A directory name for each attribute.
        case severalNames

        /// One directory name of three relative names, after a name of another kind.
        case amongOthers
    }

    /// A hash function that names a key in a TPM: nameAlg.
    @nonexhaustive
    public enum NameAlgorithm: UInt16, Hashable, Sendable, Codable, CaseIterable {
        /// TPM_ALG_SHA1.
        case sha1 = 0x0004

        /// TPM_ALG_SHA256, which nearly all TPMs use.
        case sha256 = 0x000b

        /// TPM_ALG_SHA384.
        case sha384 = 0x000c

        /// TPM_ALG_SHA512.
        case sha512 = 0x000d

        var hash: HashFunction {
            switch self {
            case .sha1: .sha1
            case .sha256: .sha256
            case .sha384: .sha384
            case .sha512: .sha512
            }
        }
    }

    /// How the vendor names the TPM.
    public var subjectAltName = SubjectAltName.separate

    /// The hash function of the key's Name.
    public var nameAlgorithm = NameAlgorithm.sha256

    /// Who made the TPM, by TCG's registry of vendors: Intel, since some verifiers have a list.
    public var manufacturer = "id:494E5443"

    /// Whether the public area binds the key to one signature scheme and hash function.
    public var statesScheme = false

    /// Makes the usual shape.
    public init() {}
}

/// How Android's keystore describes a key.
public struct AndroidKeyShape: Hashable, Sendable, Codable {
    /// The version of the schema of KeyDescription.
    @nonexhaustive
    public enum Version: Int, Hashable, Sendable, Codable, CaseIterable {
        /// Keymaster 2, of Android 7.
        case keymaster2 = 1

        /// Keymaster 3, of Android 8.
        case keymaster3 = 2

        /// Keymaster 4, of Android 9.
        case keymaster4 = 3

        /// Keymaster 4.1, of Android 11.
        case keymaster41 = 4

        /// KeyMint 1, of Android 12.
        case keyMint1 = 100

        /// KeyMint 2, of Android 13.
        case keyMint2 = 200

        /// KeyMint 3, of Android 14.
        case keyMint3 = 300

        /// KeyMint 4, of Android 16.
        case keyMint4 = 400

        /// The version of the keystore itself, which was counted otherwise at first.
        var keystore: Int {
            switch self {
            case .keymaster2: 2
            case .keymaster3: 3
            case .keymaster4: 4
            case .keymaster41: 41
            default: rawValue
            }
        }
    }

    /// Who enforces what is said of the key.
    @nonexhaustive
    public enum Enforcement: String, Hashable, Sendable, Codable, CaseIterable {
        /// The trusted execution environment.
        case trustedEnvironment

        /// StrongBox, a chip of its own.
        case strongBox

        /// Software: a relying party that wants hardware refuses it.
        case software

        /// The trusted environment, but for the key's origin: the union of both lists says all.
        case split

        var securityLevel: Int {
            switch self {
            case .software: 0
            case .trustedEnvironment, .split: 1
            case .strongBox: 2
            }
        }
    }

    /// The version of the schema.
    public var version = Version.keyMint3

    /// Who enforces what is said of the key.
    public var enforcement = Enforcement.trustedEnvironment

    /// Makes the usual shape.
    public init() {}
}
