import Foundation
import PasskeyAuthorization
import PasskeyModel
import PasskeyTesting
import Testing

@Suite("Errors of AuthenticationServices: codes, texts and tables")
struct AuthorizationErrorTests {
    private static let tables: [AuthorizationErrorTable] = [.iOS16, .iOS18, .iOS26]

    @Test("The codes have the numbers and names of ASAuthorizationError")
    func numbers() {
        let names = (1000...1010).map { AuthorizationErrorCode(rawValue: $0).description }
        #expect(
            names == [
                "unknown", "canceled", "invalidResponse", "notHandled", "failed", "notInteractive",
                "matchedExcludedCredential", "credentialImport", "credentialExport", "preferSignInWithApple",
                "deviceNotConfiguredForPasskeyCreation",
            ]
        )
        #expect(AuthorizationErrorCode(rawValue: 1011).description == "1011")
    }

    @Test("What a code means, and what its text adds", arguments: tables)
    func reading(_ table: AuthorizationErrorTable) {
        let plain: [(AuthorizationErrorCode, AuthorizationErrorType)] = [
            (.unknown, .unknown), (.canceled, .cancelled), (.invalidResponse, .invalidResponse),
            (.notHandled, .functionNotSupported), (.failed, .failed), (.notInteractive, .notInteractive),
            (.matchedExcludedCredential, .excludeCredentialsMatch), (.credentialImport, .functionNotSupported),
            (.credentialExport, .functionNotSupported), (.preferSignInWithApple, .preferSignInWithApple),
            (.deviceNotConfiguredForPasskeyCreation, .deviceNotConfigured), (.init(rawValue: 4711), .unknown),
        ]
        for (code, type) in plain { #expect(table.type(of: code) == type) }
        #expect(
            table.type(of: .canceled, message: "… No credentials available for login. …") == .noCredentialsAvailable
        )
        #expect(table.type(of: .failed, message: "No credentials available for login.") == .failed)
        let text = "Application with identifier A is not associated with domain example.com"
        #expect(table.type(of: .failed, message: text) == .domainNotAssociated)
        let reason = AuthorizationUnderlyingError(domain: "other", code: 1, failureReason: text)
        #expect(table.type(of: .failed, underlying: reason) == .domainNotAssociated)
        #expect(table.type(of: .canceled, message: text) == .cancelled)
    }

    @Test("What an error below means")
    func underlying() {
        let table = AuthorizationErrorTable.iOS16
        func type(_ domain: String, _ code: Int) -> AuthorizationErrorType {
            table.type(of: .failed, underlying: AuthorizationUnderlyingError(domain: domain, code: code))
        }
        #expect(type("WKErrorDomain", 8) == .excludeCredentialsMatch)
        #expect(type("WKErrorDomain", 7) == .failed)
        let local = "com.apple.LocalAuthentication"
        #expect([-2, -4, -9].map { type(local, $0) } == [.cancelled, .cancelled, .cancelled])
        #expect([-5, -6, -7, -8].allSatisfy { type(local, $0) == .deviceNotConfigured })
        #expect(
            [type(local, -1), type(local, -1004), type(local, -3)] == [
                .userVerificationFailed, .notInteractive, .failed,
            ]
        )
        let web = "com.apple.AuthenticationServices.WebAuthenticationSession"
        #expect((1...4).map { type(web, $0) } == [.cancelled, .noPresentationAnchor, .noPresentationAnchor, .failed])
        #expect(type("other", 8) == .failed)
    }

    @Test("What is written is read again, but for what the system does not tell", arguments: tables)
    func roundTrip(_ table: AuthorizationErrorTable) async throws {
        let world = ControllerWorld()
        world.controller.clientProfile.authorizationErrors = table
        for type in AuthorizationErrorType.allCases {
            world.controller.next(.authorize, fails: type)
            let error = try await world.error { try await world.controller.perform(world.assertion) }
            #expect(error.type == type)
            #expect(error.code == table.code(for: type))
            guard let code = error.code else { continue }
            let below = error.originalError as? AuthorizationUnderlyingError
            let read = AuthorizationError(code: code, message: error.message, underlying: below, table: table)
            #expect(read.type == (type == .timedOut ? .cancelled : type))
        }
    }

    @Test("An excluded credential and a device without passkeys, in three versions of the system")
    func versions() {
        #expect(Self.tables.map { $0.code(for: .excludeCredentialsMatch)?.rawValue } == [1004, 1006, 1006])
        #expect(Self.tables.map { $0.underlyingError(for: .excludeCredentialsMatch)?.code } == [8, nil, nil])
        #expect(Self.tables.map { $0.code(for: .deviceNotConfigured)?.rawValue } == [1004, 1004, 1010])
        #expect(Self.tables.map { $0.underlyingError(for: .deviceNotConfigured)?.code } == [-7, -7, nil])
    }

    @Test("A type is read in both spellings on the wire, and written as its name")
    func spellings() throws {
        let decoder = JSONDecoder()
        for type in AuthorizationErrorType.allCases {
            for text in [#"["\#(type.rawValue)"]"#, #"[{"\#(type.rawValue)":{}}]"#] {
                #expect(try decoder.decode([AuthorizationErrorType].self, from: Data(text.utf8)) == [type])
            }
            #expect(try JSONEncoder().encode([type]) == Data(#"["\#(type.rawValue)"]"#.utf8))
        }
        for text in [#"["canceled"]"#, #"[{}]"#, #"[{"cancelled":{},"failed":{}}]"#, "[1]", "[null]", #"[["failed"]]"#]
        {
            #expect(throws: DecodingError.self) {
                try decoder.decode([AuthorizationErrorType].self, from: Data(text.utf8))
            }
        }
    }

    @Test("An error of the system's keeps its code, its text and the error below")
    func systemError() {
        let error = AuthorizationError(code: .failed, underlying: .biometryNotEnrolled)
        #expect(error.type == .deviceNotConfigured)
        #expect(error.code == .failed)
        #expect(error.message == "Device not configured for passkey requests")
        #expect(error.originalError as? AuthorizationUnderlyingError == .biometryNotEnrolled)
        #expect(AuthorizationError(type: .cancelled).code == nil)
        #expect("\(AuthorizationUnderlyingError.excludedCredential)" == "WKErrorDomain 8")
        #expect(
            "\(AuthorizationUnderlyingError.biometryNotEnrolled)"
                == "com.apple.LocalAuthentication -7: Device not configured for passkey requests"
        )
    }

    @Test("Each layer can be made to fail, and those above follow from it")
    func layers() async throws {
        let world = ControllerWorld()
        let (controller, request) = (world.controller, world.registration())

        controller.next(.create, .fails(status: .credentialExcluded))
        var error = try await world.error { try await controller.perform(request) }
        var below = try #require(error.originalError as? ClientError)
        #expect(below.authenticatorErrors.map(\.status) == [.credentialExcluded])
        #expect(below.name == .invalidState)
        #expect(
            [error.type.rawValue, error.code?.description] == ["excludeCredentialsMatch", "matchedExcludedCredential"]
        )

        // All else that an authenticator says is NotAllowedError to a page, and more than that to the test.
        let types: [(CTAPStatus, AuthorizationErrorType)] = [
            (.operationDenied, .cancelled), (.uvInvalid, .userVerificationFailed), (.userActionTimeout, .timedOut),
            (.keepaliveCancel, .cancelled), (.keyStoreFull, .failed), (.other, .failed),
            (.unsupportedAlgorithm, .functionNotSupported), (.unsupportedOption, .deviceNotConfigured),
        ]
        for (status, type) in types {
            controller.next(.create, .fails(status: status))
            error = try await world.error { try await controller.perform(request) }
            below = try #require(error.originalError as? ClientError)
            #expect(below.name == .notAllowed)
            #expect(below.authenticatorErrors.map(\.status) == [status])
            #expect(error.type == type)
        }
        controller.next(.authorize, .fails(status: .noCredentials))
        error = try await world.error { try await controller.perform(world.assertion) }
        #expect(error.type == .noCredentialsAvailable)
        #expect(error.message?.hasPrefix("No credentials available for login.") == true)

        let names: [(ClientError.Name, AuthorizationErrorType)] = [
            (.abort, .cancelled), (.constraint, .deviceNotConfigured), (.encoding, .functionNotSupported),
            (.invalidState, .excludeCredentialsMatch), (.notAllowed, .cancelled),
            (.notSupported, .functionNotSupported), (.security, .domainNotAssociated),
            (.syntax, .functionNotSupported), (.type, .functionNotSupported), (.unknown, .failed),
        ]
        #expect(names.map(\.0) == ClientError.Name.allCases)
        for (name, type) in names {
            controller.next(.create, .fails(exception: name))
            error = try await world.error { try await controller.perform(request) }
            #expect((error.originalError as? ClientError)?.name == name)
            #expect(error.type == type)
        }

        controller.next(.create, .fails(code: .init(rawValue: 1042), message: "new", underlying: .excludedCredential))
        error = try await world.error { try await controller.perform(request) }
        #expect(error.code?.rawValue == 1042)
        #expect(error.message == "new")
        #expect(error.type == .excludeCredentialsMatch)
        #expect(error.originalError is AuthorizationUnderlyingError)
        _ = try await controller.perform(request)
    }

    @Test("Every status of CTAP is the one that its own meaning has")
    func statuses() async throws {
        let world = ControllerWorld()
        // What an authenticator of this library never says is told as the status that it says instead.
        let other: [CTAPStatus: CTAPStatus] = [.missingParameter: .invalidParameter]
        for status in CTAPStatus.allCases {
            world.controller.next(.create, .fails(status: status))
            let error = try await world.error { try await world.controller.perform(world.registration()) }
            let answers = (error.originalError as? ClientError)?.authenticatorErrors.map(\.status)
            #expect(answers == [other[status] ?? status])
        }
    }

    @Test("Outcomes as JSON, and back")
    func outcomes() throws {
        let outcomes: [(CeremonyOutcome, String)] = [
            (.succeeds, #"{"kind":"success"}"#),
            (.hangs, #"{"kind":"hang"}"#),
            (.succeeds.after(.seconds(2)), #"{"delayMs":2000,"kind":"success"}"#),
            (
                .fails(.timedOut).after(.seconds(1)).after(.milliseconds(5)),
                #"{"delayMs":1005,"kind":"error","type":"timedOut"}"#
            ),
            (.fails(exception: .security), #"{"exception":"SecurityError","kind":"error"}"#),
            (.fails(status: .noCredentials), #"{"kind":"error","status":46}"#),
            (.fails(code: .failed), #"{"code":1004,"kind":"error"}"#),
            (
                .fails(code: .canceled, message: "m", underlying: .init(domain: "d", code: -7, failureReason: "r")),
                #"{"code":1001,"kind":"error","message":"m","underlying":{"code":-7,"domain":"d","failureReason":"r"}}"#
            ),
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        for (outcome, text) in outcomes {
            #expect(try String(decoding: encoder.encode(outcome), as: UTF8.self) == text)
            #expect(try JSONDecoder().decode(CeremonyOutcome.self, from: Data(text.utf8)) == outcome)
        }
        for text in ["{}", #"{"kind":"error"}"#, #"{"kind":"none"}"#, #"{"kind":"hang","delayMs":-1}"#] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(CeremonyOutcome.self, from: Data(text.utf8))
            }
        }
    }
}
