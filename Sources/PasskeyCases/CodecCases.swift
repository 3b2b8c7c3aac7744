import PasskeyCrypto
import PasskeyModel
import PasskeyWire

extension Case {
    func base64URLDecode() throws(MalformedCase) -> PreparedCase {
        let text = try CaseInput(input).string("text")
        return PreparedCase {
            do throws(WireError) {
                return .accepted(value: ["hex": .string(Hex.encode(try Base64URL.decode(text)))])
            } catch {
                return .rejected(error: "\(error)", step: nil)
            }
        }
    }

    func coseKey() throws(MalformedCase) -> PreparedCase {
        let bytes = try CaseInput(input).hex("hex")
        return PreparedCase {
            do {
                let key = try COSEKey(bytes)
                _ = try PublicKey(key)
                return .accepted(value: ["algorithm": .number(JSONNumber(key.algorithm.rawValue))])
            } catch {
                return .rejected(error: "\(error)", step: nil)
            }
        }
    }

    func authenticatorData() throws(MalformedCase) -> PreparedCase {
        let input = CaseInput(input)
        let bytes = try input.hex("hex")
        let ceremony = try input.stringIfPresent("ceremony") ?? "get"
        guard ceremony == "create" || ceremony == "get" else { throw MalformedCase("the ceremony \(ceremony)") }
        return PreparedCase {
            do throws(WireError) {
                let data = try AuthenticatorData(bytes)
                guard ceremony == "get" || data.attestedCredentialData != nil else {
                    return .rejected(error: "no attested credential data in a registration", step: nil)
                }
                return .accepted(value: ["signCount": .number(JSONNumber(Int(data.signCount)))])
            } catch {
                return .rejected(error: "\(error)", step: nil)
            }
        }
    }

    func clientData() throws(MalformedCase) -> PreparedCase {
        let bytes = try CaseInput(input).base64URL("base64url")
        let expected = CaseInput(input["expected"] ?? [:])
        let type = try expected.stringIfPresent("type")
        let challenge = try expected.stringIfPresent("challenge")
        var origins = try expected.stringsIfPresent("origins")
        if let origin = try expected.stringIfPresent("origin") { origins = [origin] }
        let accepted = origins
        return PreparedCase {
            do throws(WireError) {
                let data = try ClientData(bytes)
                if let type, data.type != type { return .rejected(error: "the type \(data.type)", step: "type") }
                if let challenge, data.challenge != challenge {
                    return .rejected(error: "another challenge", step: "challenge")
                }
                if let accepted, !accepted.contains(where: { (try? Origin($0))?.string == data.origin }) {
                    return .rejected(error: "the origin \(data.origin)", step: "origin")
                }
                return .accepted(value: data.members)
            } catch {
                return .rejected(error: "\(error)", step: nil)
            }
        }
    }

    func relyingPartyID() throws(MalformedCase) -> PreparedCase {
        let text = try CaseInput(input).string("rpId")
        return PreparedCase {
            do throws(ModelError) {
                return .accepted(value: ["value": .string(try RelyingPartyIdentifier(text).string)])
            } catch {
                return .rejected(error: "\(error)", step: nil)
            }
        }
    }

    func relyingPartyDefaultID() throws(MalformedCase) -> PreparedCase {
        let text = try CaseInput(input).string("origin")
        return PreparedCase {
            do throws(ModelError) {
                guard let identifier = try Origin(text).defaultRelyingPartyIdentifier else {
                    return .rejected(error: "no RP ID fits the origin \(text)", step: nil)
                }
                return .accepted(value: ["value": .string(identifier.string)])
            } catch {
                return .rejected(error: "\(error)", step: nil)
            }
        }
    }
}
