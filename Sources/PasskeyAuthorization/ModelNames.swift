#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// AuthenticationServices' names, less the "AS", for what the model has already.

/// How an authenticator is attached to the device.
public typealias PublicKeyCredentialAttachment = AuthenticatorAttachment

/// How an authenticator is attached to the device, under AuthenticationServices' name.
public typealias AuthorizationPublicKeyCredentialAttachment = AuthenticatorAttachment

/// How much the user is to be verified.
public typealias UserVerificationPreference = UserVerificationRequirement

/// How much the user is to be verified, under AuthenticationServices' name.
public typealias AuthorizationPublicKeyCredentialUserVerificationPreference = UserVerificationRequirement

/// How much a discoverable credential is wanted, under AuthenticationServices' name.
public typealias AuthorizationPublicKeyCredentialResidentKeyPreference = ResidentKeyRequirement

/// What is to be learned about the authenticator, under AuthenticationServices' name.
public typealias AuthorizationPublicKeyCredentialAttestationKind = AttestationConveyancePreference

/// A kind of credential that is accepted, under AuthenticationServices' name.
public typealias AuthorizationPublicKeyCredentialParameters = PublicKeyCredentialParameters

/// A credential that a platform request names, under AuthenticationServices' name.
public typealias AuthorizationPlatformPublicKeyCredentialDescriptor = PublicKeyCredentialDescriptor

/// A credential that a security-key request names, under AuthenticationServices' name.
public typealias AuthorizationSecurityKeyPublicKeyCredentialDescriptor = PublicKeyCredentialDescriptor

extension PublicKeyCredentialDescriptor {
    /// Makes a descriptor.
    ///
    /// - Parameters:
    ///   - credentialID: The credential's identifier.
    ///   - transports: How its authenticator may be reached, as stored with the credential.
    public init(credentialID: Data, transports: [AuthenticatorTransport] = []) {
        self.init(id: [UInt8](credentialID), transports: transports)
    }

    /// The credential's identifier.
    public var credentialID: Data {
        get { Data(id) }
        set { id = [UInt8](newValue) }
    }
}

extension PublicKeyCredentialParameters {
    /// Takes an algorithm.
    ///
    /// - Parameter algorithm: The signature algorithm.
    public init(algorithm: COSEAlgorithmIdentifier) {
        self.init(alg: algorithm)
    }
}

extension UInt32 {
    /// Whole milliseconds, held at the ends of the type.
    package init(milliseconds duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let whole = overflow ? (seconds < 0 ? Int64.min : Int64.max) : product
        let (sum, isOver) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        self.init(clamping: isOver ? whole : sum)
    }
}
