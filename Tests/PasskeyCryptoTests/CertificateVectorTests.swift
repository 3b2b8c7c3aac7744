import PasskeyVectors
import PasskeyWire
import Testing

@testable import PasskeyCrypto

/// Certificates in the registrations of real devices, of the specification and of those who reported faults.
@Suite("Certificates of real devices", .needsShared)
struct CertificateVectorTests {
    struct CaseFile: Decodable {
        struct Case: Decodable {
            /// Of another operation the input is something else.
            struct Input: Decodable {
                var response: Credential?

                init(from decoder: any Decoder) throws {
                    enum Key: CodingKey { case response }
                    response = try? decoder.container(keyedBy: Key.self).decode(Credential.self, forKey: .response)
                }
            }

            struct Credential: Decodable {
                struct Response: Decodable {
                    var attestationObject: String?
                }

                var response: Response?
            }

            var id: String
            var input: Input
            var expect: String
        }

        var cases: [Case]
    }

    /// The statements of a file that have certificates.
    private func statements(_ file: String) throws -> [(id: String, isAccepted: Bool, statement: CBORDocument.Item)] {
        try shared(file, as: CaseFile.self).cases.compactMap { entry in
            guard
                let text = entry.input.response?.response?.attestationObject,
                let bytes = try? Base64URL.decode(text),
                let statement = try? CBORDocument(bytes).root["attStmt"],
                statement["x5c"]?.elements != nil
            else { return nil }
            return (entry.id, entry.expect == "accept", statement)
        }
    }

    private func certificates(_ statement: CBORDocument.Item) -> [[UInt8]] {
        (statement["x5c"]?.elements).map { $0.compactMap(\.byteArray) } ?? []
    }

    @Test(
        "those of every registration that is accepted are read, and their keys verify",
        arguments: [
            ("devices.json", 50), ("webauthn-l3.json", 8), ("chromium.json", 4), ("reports-ceremonies.json", 5),
        ]
    )
    func accepted(_ file: String, _ least: Int) throws {
        var count = 0
        for (id, isAccepted, statement) in try statements(file) where isAccepted {
            for (index, der) in certificates(statement).enumerated() {
                let certificate = try Certificate(der: der)
                #expect(certificate.der == der, "\(id)")
                #expect((1...3).contains(certificate.version), "\(id)")
                #expect(certificate.notBefore <= certificate.notAfter, "\(id)")
                #expect(certificate.publicKeyKind != nil, "\(id)")
                #expect(!certificate.issuer.isEmpty, "\(id)")
                _ = try certificate.subjectAltNames()
                #expect(try certificate.subjectPublicKeyInfo().isEmpty == false, "\(id)")
                #expect(CryptoError.isQueueEmpty)
                guard index == 0, let number = statement["alg"]?.int else { continue }
                let algorithm = COSEAlgorithmIdentifier(rawValue: number)
                #expect(throws: Never.self, "\(id)") { try certificate.publicKey(algorithm, allowingSHA1: true) }
            }
            count += 1
        }
        #expect(count >= least)
    }

    @Test("those of refused registrations are read or refused")
    func refused() throws {
        for file in ["devices.json", "webauthn-l3.json", "chromium.json", "reports-ceremonies.json"] {
            for (_, isAccepted, statement) in try statements(file) where !isAccepted {
                for der in certificates(statement) { _ = try? Certificate(der: der) }
                #expect(CryptoError.isQueueEmpty)
            }
        }
    }

    @Test("a chain of a real device leads to each of its certificates")
    func paths() throws {
        // Of the conformance tools: the identifier of the authority's key is another's, or is malformed.
        let unlinked: Set = ["reg-android-key-a7-009", "reg-tpm-a257-003"]
        var lengths: Set<Int> = []
        for (id, isAccepted, statement) in try statements("devices.json") where isAccepted {
            let chain = try certificates(statement).map { try Certificate(der: $0) }
            guard let leaf = chain.first, chain.count > 1 else { continue }
            // The middle of the time when all are valid.
            let first = chain.map(\.notBefore).max() ?? 0
            let moment = first + ((chain.map(\.notAfter).min() ?? 0) - first) / 2
            for (index, anchor) in chain.enumerated() {
                let path = try? CertificateChain.verify(
                    leaf: leaf,
                    intermediates: Array(chain.dropFirst()),
                    anchors: [anchor],
                    at: moment
                )
                #expect(path?.certificates.count == (index > 0 && unlinked.contains(id) ? nil : index + 1), "\(id)")
            }
            lengths.insert(chain.count)
        }
        #expect(lengths == [2, 3, 5])
    }

    @Test("certificates of real devices with one byte changed are read or refused")
    func mutations() throws {
        var random = SeededGenerator(7)
        var seen: Set<[UInt8]> = []
        for (_, _, statement) in try statements("devices.json") {
            guard let der = certificates(statement).first, seen.insert(der).inserted, seen.count <= 20 else { continue }
            for _ in 0..<100 {
                var changed = der
                changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                guard let certificate = try? Certificate(der: changed) else { continue }
                _ = try? certificate.subjectAltNames()
                _ = (certificate.extendedKeyUsage, certificate.subject.text, certificate.issuer.text)
                _ = try? certificate.publicKey(.es256)
                _ = try? certificate.keyIdentifier()
                _ = try? CertificateChain.verify(
                    leaf: certificate,
                    intermediates: [certificate],
                    anchors: [certificate],
                    at: Moments.now
                )
                #expect(CryptoError.isQueueEmpty)
            }
        }
        #expect(seen.count >= 20)
    }
}
