import Foundation
import PasskeyAuthorization
import PasskeyCrypto
import PasskeyModel
import PasskeySystem
import PasskeyTesting
import Testing

@Suite("VirtualAuthorizationController: outcomes, waiting, one ceremony at a time", .timeLimit(.minutes(5)))
struct ControllerOutcomeTests {
    private let controller = VirtualAuthorizationController()
    private let platform = AuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: World.rpID)
    private let challenge = Data(repeating: 0xC4, count: 32)

    private func registration(user byte: UInt8 = 1) -> AuthorizationPublicKeyCredentialRegistrationRequest {
        platform.createCredentialRegistrationRequest(challenge: challenge, name: "ada", userID: Data([byte]))
    }

    private var assertion: AuthorizationPublicKeyCredentialAssertionRequest {
        platform.createCredentialAssertionRequest(challenge: challenge)
    }

    /// What a request fails with.
    private func failure(_ request: some AuthorizationRequest) async throws -> AuthorizationErrorType {
        let error = try await #require(throws: AuthorizationError.self) { try await controller.perform(request) }
        return error.type
    }

    /// Starts a ceremony that waits, and comes back when it does.
    private func waiting<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Task<Value, any Error> {
        let task = Task { try await body() }
        while !controller.isWaiting { await Task.yield() }
        return task
    }

    /// The error type of a task that fails.
    private func failure<Value: Sendable>(of task: Task<Value, any Error>) async -> AuthorizationErrorType? {
        do {
            _ = try await task.value
            return nil
        } catch {
            return (error as? AuthorizationError)?.type
        }
    }

    @Test("One-shot outcomes, and then back to success", arguments: AuthorizationErrorType.allCases)
    func oneShot(_ type: AuthorizationErrorType) async throws {
        controller.next(.create, fails: type)
        #expect(try await failure(registration()) == type)
        #expect(controller.authenticators[0].credentials.isEmpty)
        _ = try await controller.perform(registration())
        controller.next(.authorize, fails: type)
        #expect(try await failure(assertion) == type)
        _ = try await controller.perform(assertion)
    }

    @Test("Outcomes queue up, each for its own kind of ceremony")
    func queue() async throws {
        controller.next(.authorize, fails: .failed)
        controller.next(.create, .succeeds)
        controller.next(.create, fails: .timedOut)
        controller.next(.create, fails: .unknown)
        _ = try await controller.perform(registration())
        #expect(try await failure(registration()) == .timedOut)
        #expect(try await failure(registration()) == .unknown)
        #expect(try await failure(assertion) == .failed)
        _ = try await controller.perform(assertion)
    }

    @Test("cancel() ends the ceremony in flight, and nothing else")
    func cancel() async throws {
        await controller.cancel()
        controller.next(.create, .hangs)
        let request = registration()
        let task = try await waiting { [controller] in try await controller.perform(request) }
        await controller.cancel()
        #expect(await failure(of: task) == .cancelled)
        #expect(!controller.isWaiting)
        #expect(controller.authenticators[0].credentials.isEmpty)
        await controller.cancel()
        _ = try await controller.perform(registration())
    }

    @Test("The cancellation of a task ends its ceremony")
    func taskCancellation() async throws {
        controller.next(.create, .hangs)
        let request = registration()
        let waitingTask = try await waiting { [controller] in try await controller.perform(request) }
        waitingTask.cancel()
        #expect(await failure(of: waitingTask) == .cancelled)

        // Cancelled before it begins: nothing is made.
        let early = Task { [controller] in
            while !Task.isCancelled { await Task.yield() }
            return try await controller.perform(request)
        }
        early.cancel()
        #expect(await failure(of: early) == .cancelled)
        #expect(controller.authenticators[0].credentials.isEmpty)
        _ = try await controller.perform(registration())
    }

    @Test("A new ceremony ends the one in flight")
    func superseded() async throws {
        _ = try await controller.perform(registration())
        controller.next(.create, .hangs)
        let request = registration(user: 2)
        let first = try await waiting { [controller] in try await controller.perform(request) }
        let used = try await controller.perform(assertion)
        #expect(used.userID == Data([1]))
        #expect(await failure(of: first) == .cancelled)
        #expect(controller.authenticators[0].credentials.count == 1)

        // One that waits gives way to another that waits; the second is then the one that cancel() ends.
        controller.next(.create, .hangs)
        controller.next(.create, .hangs)
        let second = try await waiting { [controller] in try await controller.perform(request) }
        let third = Task { [controller] in try await controller.perform(request) }
        #expect(await failure(of: second) == .cancelled)
        while !controller.isWaiting { await Task.yield() }
        await controller.cancel()
        #expect(await failure(of: third) == .cancelled)
    }

    @Test("A ceremony that hangs ends with its request's timeout")
    func timeout() async throws {
        controller.next(.create, .hangs)
        var request = registration()
        request.timeout = .milliseconds(20)
        #expect(try await failure(request) == .timedOut)
        #expect(controller.authenticators[0].credentials.isEmpty)
    }

    @Test("Autofill waits until the user picks, until it is cancelled, or until another ceremony begins")
    func autoFill() async throws {
        let made = try await controller.perform(registration())
        #expect(!controller.pickFromAutoFill())
        let request = assertion
        let start: @Sendable () async throws -> AuthorizationResult = { [controller] in
            try await controller.authorizeWithAutoFill(requests: [request])
        }
        let picked = try await waiting(start)
        #expect(controller.pickFromAutoFill())
        let credential = try await picked.value.credential as? PasskeyAssertionCredential
        #expect(credential?.credentialID == made.credentialID)

        let cancelled = try await waiting(start)
        await controller.cancel()
        #expect(await failure(of: cancelled) == .cancelled)

        let superseded = try await waiting(start)
        _ = try await controller.perform(assertion)
        #expect(await failure(of: superseded) == .cancelled)

        // What hangs cannot be picked.
        controller.next(.authorizeWithAutoFill, .hangs)
        let hanging = try await waiting(start)
        #expect(!controller.pickFromAutoFill())
        await controller.cancel()
        #expect(await failure(of: hanging) == .cancelled)
    }

    @Test("Autofill: the suggestion that is picked signs in, of those that are there then")
    func autoFillChoice() async throws {
        let request = assertion
        let start: @Sendable () async throws -> AuthorizationResult = { [controller] in
            try await controller.authorizeWithAutoFill(requests: [request])
        }
        var ids: [Data] = []
        for byte in 1...3 as ClosedRange<UInt8> {
            ids.append(try await controller.perform(registration(user: byte)).credentialID)
        }
        for id in ids {
            let task = try await waiting(start)
            #expect(controller.pickFromAutoFill(id))
            #expect(!controller.pickFromAutoFill(id))
            #expect(try await (task.value.credential as? PasskeyAssertionCredential)?.credentialID == id)
        }
        // One that is not suggested, and none at all.
        var task = try await waiting(start)
        #expect(controller.pickFromAutoFill(Data([1])))
        #expect(await failure(of: task) == .noCredentialsAvailable)
        task = try await waiting(start)
        controller.clearAllCredentials()
        #expect(controller.pickFromAutoFill())
        #expect(await failure(of: task) == .noCredentialsAvailable)
        // What is made while the field waits is suggested, too.
        task = try await waiting(start)
        let authenticator = controller.authenticators[0]
        try authenticator.importCredential(
            VirtualCredentialParameters(
                credentialID: [7],
                isResidentCredential: true,
                relyingPartyIdentifier: World.rpID,
                privateKey: PrivateKey.generate(.es256).pkcs8(),
                userHandle: World.handle(9)
            )
        )
        #expect(controller.pickFromAutoFill(Data([7])))
        #expect(try await (task.value.credential as? PasskeyAssertionCredential)?.credentialID == Data([7]))
    }

    @Test("Autofill suggests platform passkeys, and no user who dismisses them is an answer")
    func autoFillRequests() async throws {
        let securityKey = AuthorizationSecurityKeyPublicKeyCredentialProvider(relyingPartyIdentifier: World.rpID)
        let others: [any AuthorizationRequest] = [
            securityKey.createCredentialAssertionRequest(challenge: challenge), AuthorizationPasswordRequest(),
            registration(),
        ]
        for other in others {
            let error = try await #require(throws: AuthorizationError.self) {
                try await controller.authorizeWithAutoFill(requests: [other])
            }
            #expect(error.type == .functionNotSupported)
        }
        _ = try await controller.perform(registration())
        let request = assertion
        controller.user = .script([.refuses])
        let refused = try await waiting { [controller] in
            try await controller.authorizeWithAutoFill(requests: [request])
        }
        controller.pickFromAutoFill()
        #expect(await failure(of: refused) == .cancelled)
        controller.clientProfile.capabilities[.conditionalGet] = false
        let task = try await waiting { [controller] in try await controller.authorizeWithAutoFill(requests: [request]) }
        controller.pickFromAutoFill()
        #expect(await failure(of: task) == .functionNotSupported)
    }

    @Test("A task that is cancelled while the user thinks about an answer makes nothing")
    func interrupted() async throws {
        controller.user = VirtualUser { _ in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return .consents
        }
        let request = registration()
        let task = Task { [controller] in try await controller.perform(request) }
        #expect(await failure(of: task) == .cancelled)
        #expect(controller.authenticators[0].credentials.isEmpty)
        controller.user = .willing
        _ = try await controller.perform(request)
    }

    @Test("A standing outcome counts until it is changed, and one-shot ones go before it")
    func standing() async throws {
        controller.standing[.create] = .fails(.failed)
        controller.next(.create, fails: .timedOut)
        #expect(try await failure(registration()) == .timedOut)
        for _ in 0..<2 { #expect(try await failure(registration()) == .failed) }
        controller.next(.create, .succeeds)
        _ = try await controller.perform(registration())
        #expect(try await failure(registration()) == .failed)
        controller.next(.create, fails: .cancelled)
        controller.clearOutcomes()
        controller.standing = [:]
        _ = try await controller.perform(registration())
    }

    @Test("Delays and timeouts pass as the test's own clock says")
    func delays() async throws {
        let slept = Lock<[Duration]>([])
        controller.sleep = { duration in slept.withLock { $0.append(duration) } }
        controller.next(.create, .succeeds.after(.seconds(3600)))
        _ = try await controller.perform(registration())
        controller.next(.create, .fails(.failed).after(.seconds(7)))
        #expect(try await failure(registration()) == .failed)
        var request = registration()
        request.timeout = .seconds(5)
        controller.next(.create, .succeeds.after(.seconds(7)))
        #expect(try await failure(request) == .timedOut)
        controller.next(.create, .hangs.after(.seconds(2)))
        #expect(try await failure(request) == .timedOut)
        #expect(slept.withLock { $0 } == [3600, 7, 5, 2, 3].map { .seconds($0) })
        // With autofill a delay is a user who takes so long to pick, and no timeout counts.
        var autofill = assertion
        autofill.timeout = .seconds(1)
        controller.next(.authorizeWithAutoFill, .succeeds.after(.seconds(9)))
        _ = try await controller.authorizeWithAutoFill(requests: [autofill])
        #expect(slept.withLock { $0.last } == .seconds(9))
    }

    @Test("A delay is cut short by cancel(), by another ceremony and by its task")
    func cutShort() async throws {
        controller.standing[.create] = .succeeds.after(.seconds(3600))
        let request = registration(user: 2)
        for way in 0..<3 {
            let task = try await waiting { [controller] in try await controller.perform(request) }
            switch way {
            case 0: await controller.cancel()
            case 1: task.cancel()
            default: #expect(try await failure(assertion) == .noCredentialsAvailable)
            }
            #expect(await failure(of: task) == .cancelled)
        }
        #expect(controller.authenticators[0].credentials.isEmpty)
    }

    @Test("Many ceremonies at once: each ends once, with a passkey or as cancelled")
    func concurrency() async throws {
        let controller = controller
        let provider = platform
        let challenge = challenge
        let made = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<64 as Range<UInt8> {
                group.addTask {
                    let request = provider.createCredentialRegistrationRequest(
                        challenge: challenge,
                        name: "ada",
                        userID: Data([index])
                    )
                    do throws(AuthorizationError) {
                        _ = try await controller.perform(request)
                        return true
                    } catch {
                        #expect(error.type == .cancelled)
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(controller.authenticators[0].credentials.count == made)
        #expect(made > 0)
        #expect(!controller.isWaiting)
    }
}
