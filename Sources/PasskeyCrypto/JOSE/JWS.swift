package import PasskeyWire

/// Why a signed text was refused.
package struct JWSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a program branches on.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// Not three parts of base64url, or a header that is not strict JSON.
        case malformed
        /// An algorithm that is not allowed.
        case algorithm
        /// A critical member of the header, none of which is understood.
        case critical
        /// A key that does not fit the algorithm.
        case key
        /// The signature is not the key's.
        case signature
        /// The library failed.
        case failed
    }

    package var code: Code

    /// What goes to the log.
    package var detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { "\(code.rawValue): \(detail)" }
}

/// A text signed in the compact serialization of RFC 7515, not yet verified.
package struct JWS: Sendable {
    /// The greatest length of the header in base64url: three certificates need a tenth of it.
    package static let greatestHeaderCount = 262_144

    /// The greatest length of the signature in base64url: RSA's with the longest key needs an eighth of it.
    package static let greatestSignatureCount = 11_000

    /// The header; what it says is true once ``verify(with:)-(PublicKey)`` has passed, and no sooner.
    package let header: JSONObject

    /// What the header says of the algorithm; one of those that were allowed.
    package let algorithm: JWSAlgorithm

    private let text: ArraySlice<UInt8>
    private let payloadRange: Range<Int>
    private let signature: [UInt8]

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - text: The text, which is kept and not copied.
    ///   - allowed: The algorithms that may be used, looked at before anything else of the header.
    /// - Throws: `JWSError`.
    package init(_ text: ArraySlice<UInt8>, allowing allowed: Set<JWSAlgorithm>) throws(JWSError) {
        let dots = Self.dots(in: text)
        guard dots.count == 2 else { throw JWSError(.malformed, "there are not three parts") }
        let headerText = text[..<dots[0]]
        guard headerText.count <= Self.greatestHeaderCount else { throw JWSError(.malformed, "the header is too long") }
        let signatureText = text[(dots[1] + 1)...]
        guard signatureText.count <= Self.greatestSignatureCount else {
            throw JWSError(.malformed, "the signature is too long")
        }
        do throws(WireError) {
            guard let object = try JSONValue(json: Base64URL.decode(headerText), maximumDepth: 8).object else {
                throw WireError(.wrongType, at: 0, detail: "not an object")
            }
            header = object
        } catch {
            throw JWSError(.malformed, "the header: \(error)")
        }
        guard let name = header["alg"]?.string, let algorithm = JWSAlgorithm(bytesOf: name), allowed.contains(algorithm)
        else { throw JWSError(.algorithm, "alg is not one of those that are allowed") }
        self.algorithm = algorithm
        guard header["crit"] == nil else { throw JWSError(.critical, "no critical member is understood") }
        do throws(WireError) {
            signature = try Base64URL.decode(signatureText)
        } catch {
            throw JWSError(.malformed, "the signature: \(error)")
        }
        self.text = text
        payloadRange = dots[0] + 1..<dots[1]
    }

    /// The places of the first three dots, which is one more than there may be.
    private static func dots(in text: ArraySlice<UInt8>) -> [Int] {
        var dots: [Int] = []
        var start = text.startIndex
        while dots.count < 3, let dot = text[start...].firstIndex(of: UInt8(ascii: ".")) {
            dots.append(dot)
            start = dot + 1
        }
        return dots
    }

    /// The payload, decoded; nothing that it says is true before ``verify(with:)``.
    package func payload() throws(JWSError) -> [UInt8] {
        do throws(WireError) {
            return try Base64URL.decode(text[payloadRange])
        } catch {
            throw JWSError(.malformed, "the payload: \(error)")
        }
    }

    /// The header's `kid` (RFC 7515 §4.1.4): a hint at the key, which proves nothing.
    package func keyIdentifier() throws(JWSError) -> String? { try text(of: "kid") }

    /// The header's `x5u` (RFC 7515 §4.1.5): where certificates are, if one believes whoever wrote it.
    package func certificateLocation() throws(JWSError) -> String? { try text(of: "x5u") }

    private func text(of name: String) throws(JWSError) -> String? {
        guard let member = header[name] else { return nil }
        guard let text = member.string else { throw JWSError(.malformed, "\(name) is no text") }
        return text
    }

    /// The certificates of the header's `x5c` in DER (RFC 7515 §4.1.6); `nil` if there is no such member.
    ///
    /// The base64 is the standard one. White space around an element is dropped, as real metadata has it.
    package func x5c() throws(JWSError) -> [[UInt8]]? {
        guard let member = header["x5c"] else { return nil }
        guard let elements = member.array, !elements.isEmpty,
            elements.count <= CertificateChain.greatestIntermediateCount
        else { throw JWSError(.malformed, "x5c is no array of certificates") }
        var certificates: [[UInt8]] = []
        for element in elements {
            guard let text = element.string else { throw JWSError(.malformed, "x5c: an element is no text") }
            do throws(WireError) {
                certificates.append(try Base64.decodeTrimmed(text))
            } catch {
                throw JWSError(.malformed, "x5c: \(error)")
            }
        }
        return certificates
    }

    /// Verifies the signature.
    ///
    /// - Parameter key: A key for ``algorithm``.
    /// - Throws: `JWSError` with `signature` if it is not the key's.
    package func verify(with key: PublicKey) throws(JWSError) {
        guard key.algorithm == algorithm.coseAlgorithm else { throw JWSError(.key, "the key is for \(key.algorithm)") }
        let form: [UInt8]
        if let half = algorithm.halfCount {
            // RFC 7518 §3.4: R and S side by side, each as long as the curve says.
            guard signature.count == 2 * half else {
                throw JWSError(.signature, "the signature has \(signature.count) bytes")
            }
            form =
                ECDSASignature(
                    r: Array(signature[..<half].drop { $0 == 0 }),
                    s: Array(signature[half...].drop { $0 == 0 })
                ).der
        } else {
            form = signature
        }
        let isAuthentic: Bool
        do throws(CryptoError) {
            isAuthentic = try key.verify(form, of: text[..<payloadRange.upperBound])
        } catch {
            throw JWSError(.failed, error.detail)
        }
        guard isAuthentic else { throw JWSError(.signature, "the signature is not the key's") }
    }

    /// Verifies the signature with a certificate's key.
    package func verify(with certificate: Certificate) throws(JWSError) {
        let key: PublicKey
        do throws(CryptoError) {
            key = try certificate.publicKey(algorithm.coseAlgorithm)
        } catch {
            throw JWSError(.key, "the certificate's key: \(error.detail)")
        }
        try verify(with: key)
    }

    /// Signs a payload.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - members: The header's members; `alg` comes first and is the key's.
    ///   - algorithm: An algorithm that fits the key.
    ///   - signature: Signs a message as WebAuthn has it: DER for ECDSA.
    /// - Returns: The text.
    /// - Throws: `CryptoError` if the signature fails.
    package static func sign(
        _ payload: [UInt8],
        header members: JSONObject,
        _ algorithm: JWSAlgorithm,
        signature: ([UInt8]) throws(CryptoError) -> [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        var header: JSONObject = ["alg": .string(algorithm.rawValue)]
        for member in members.members { header[member.name] = member.value }
        let message =
            Base64URL.encodedBytes(JSONValue.object(header).serialized()) + [UInt8(ascii: ".")]
            + Base64URL.encodedBytes(payload)
        var raw = try signature(message)
        if let half = algorithm.halfCount {
            do throws(WireError) {
                let pair = try ECDSASignature(der: raw)
                raw = padded(pair.r, half) + padded(pair.s, half)
            } catch {
                throw CryptoError(.failed, "\(error)")
            }
        }
        return message + [UInt8(ascii: ".")] + Base64URL.encodedBytes(raw)
    }

    private static func padded(_ magnitude: [UInt8], _ count: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: max(0, count - magnitude.count)) + magnitude
    }
}

extension JWSAlgorithm {
    /// The algorithm whose name has exactly these bytes.
    fileprivate init?(bytesOf name: String) {
        guard let found = JWSAlgorithm.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else { return nil }
        self = found
    }
}
