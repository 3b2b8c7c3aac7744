import PasskeyCrypto
import PasskeyModel
import PasskeyWire

/// The signature of a BLOB and its certificates (FIDO Metadata Service §3.2, steps 4 to 6).
struct MetadataSignature {
    let payload: [UInt8]
    let signerPath: [String]
    let revocation: RevocationStatus

    static func verify(
        _ blob: [UInt8],
        _ roots: [[UInt8]],
        at time: Timestamp,
        _ options: MetadataOptions
    ) throws(MetadataError) -> MetadataSignature {
        // A file may end in a line break.
        let end = blob.lastIndex { ![0x0a, 0x0d, 0x20, 0x09].contains($0) }.map { $0 + 1 } ?? 0
        let anchors = try certificates(roots, "root")
        let text = try signed { () throws(JWSError) in
            try JWS(blob[..<end], allowing: [.es256, .rs256, .rs384, .rs512])
        }
        let (path, revocation) = try signer(of: text, anchors, at: time, options)
        return MetadataSignature(
            payload: try signed { () throws(JWSError) in try text.payload() },
            signerPath: path.map(\.subject.text),
            revocation: revocation
        )
    }

    /// The path of the certificate by whose key a BLOB is signed.
    private static func signer(
        of text: JWS,
        _ anchors: [Certificate],
        at time: Timestamp,
        _ options: MetadataOptions
    ) throws(MetadataError) -> (path: [Certificate], revocation: RevocationStatus) {
        guard let sent = try sentCertificates(text, options) else {
            // "If the x5c attribute is missing as well, the Metadata BLOB signing trust anchor is considered the BLOB
            // signing certificate chain."
            let anchor = try anchor(signing: text, anchors)
            let path = try path([anchor], anchors, at: time, options)
            // The anchor itself: no list tells the status of what is trusted without one.
            return (path.certificates, .notAsked)
        }
        let chain = try certificates(sent, "certificate")
        let path = try path(chain, anchors, at: time, options)
        try signed { () throws(JWSError) in try text.verify(with: chain[0]) }
        return (path.certificates, RevocationStatus(path))
    }

    private static func anchor(signing text: JWS, _ anchors: [Certificate]) throws(MetadataError) -> Certificate {
        for anchor in anchors {
            do throws(JWSError) {
                try text.verify(with: anchor)
                return anchor
            } catch {
                // Another anchor's signature is no fault of this one.
                guard error.code == .signature || error.code == .key else { throw MetadataError(error) }
            }
        }
        throw MetadataError(.signature, "there are no certificates, and no root signed the BLOB")
    }

    /// The certificates that the BLOB itself tells: those at `x5u`, or else those of `x5c`.
    private static func sentCertificates(_ text: JWS, _ options: MetadataOptions) throws(MetadataError) -> [[UInt8]]? {
        guard let location = try signed({ () throws(JWSError) in try text.certificateLocation() }) else {
            return try signed { () throws(JWSError) in try text.x5c() }
        }
        // "Verify that the URL specified by the x5u attribute has the same web-origin as the URL used to download the
        // metadata BLOB from."
        guard let origin = webOrigin(of: location), let own = options.location.flatMap(webOrigin), origin == own else {
            throw MetadataError(.certificateLocation, "x5u \(excerpt(location)) is not of the BLOB's own origin")
        }
        guard let fetch = options.fetch else {
            throw MetadataError(.certificateLocation, "nobody fetches what is at x5u")
        }
        let pem: [UInt8]
        do {
            pem = try fetch(location)
        } catch {
            throw MetadataError(.certificateLocation, "x5u \(excerpt(location)): \(excerpt("\(error)"))")
        }
        guard pem.count <= JWS.greatestHeaderCount else {
            throw MetadataError(.tooLarge, "what is at x5u has \(pem.count) bytes")
        }
        do throws(TrustStoreError) {
            let certificates = try PEM.certificates(in: String(decoding: pem, as: UTF8.self))
            guard certificates.count <= CertificateChain.greatestIntermediateCount else {
                throw TrustStoreError("there are \(certificates.count) certificates")
            }
            return certificates
        } catch {
            throw MetadataError(.malformed, "what is at x5u: \(error)")
        }
    }

    private static func webOrigin(of location: String) -> Origin? {
        let bytes = Array(location.utf8)
        let scheme = Array("https://".utf8)
        guard bytes.starts(with: scheme) else { return nil }
        let end = bytes[scheme.count...].firstIndex { $0 == 0x2f || $0 == 0x3f || $0 == 0x23 } ?? bytes.endIndex
        return try? Origin(String(decoding: bytes[..<end], as: UTF8.self))
    }

    private static func path(
        _ chain: [Certificate],
        _ anchors: [Certificate],
        at time: Timestamp,
        _ options: MetadataOptions
    ) throws(MetadataError) -> CertificateChain.Path {
        var lists: [CertificateRevocationList] = []
        for der in options.revocationLists {
            do throws(CryptoError) {
                lists.append(try CertificateRevocationList(der: der))
            } catch {
                throw MetadataError(.malformed, "a revocation list: \(error.detail)")
            }
        }
        let path: CertificateChain.Path
        do throws(CertificateChainError) {
            path = try CertificateChain.verify(
                leaf: chain[0],
                intermediates: Array(chain.dropFirst()),
                anchors: anchors,
                at: time.millisecondsSince1970,
                revocationLists: lists
            )
        } catch {
            let code: MetadataError.Code =
                switch error.code {
                case .expired, .notYetValid: .expiredCertificate
                case .revoked: .revoked
                default: .untrusted
                }
            throw MetadataError(code, "\(error)")
        }
        if let host = options.signerHost, !chain[0].isFor(host: host) {
            throw MetadataError(
                .otherSigner,
                "the signing certificate, of \(excerpt(chain[0].subject.text)), is not for \(excerpt(host))"
            )
        }
        guard path.revocation == .good || !options.requiresRevocationStatus else {
            throw MetadataError(.noRevocationStatus, "no revocation list tells the status of the certificates")
        }
        return path
    }

    private static func certificates(_ list: [[UInt8]], _ name: String) throws(MetadataError) -> [Certificate] {
        var certificates: [Certificate] = []
        for (place, der) in list.enumerated() {
            do throws(CryptoError) {
                certificates.append(try Certificate(der: der))
            } catch {
                throw MetadataError(.malformed, "\(name) \(place): \(error.detail)")
            }
        }
        return certificates
    }

    private static func signed<Value>(_ body: () throws(JWSError) -> Value) throws(MetadataError) -> Value {
        do throws(JWSError) {
            return try body()
        } catch {
            throw MetadataError(error)
        }
    }
}

extension MetadataError {
    fileprivate init(_ error: JWSError) {
        let code: Code =
            switch error.code {
            case .malformed, .critical: .malformed
            case .algorithm: .algorithm
            case .key, .signature, .failed: .signature
            }
        self.init(code, error.detail)
    }
}
