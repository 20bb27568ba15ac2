package import CurlTransport
internal import OAuth
package import PlugCore
internal import PlugManifest
internal import PlugStorage
internal import Syncing
internal import Throttling

/// The state of a consent on another device.
package struct DeviceProgress: Sendable {
    /// Identifies it in an address; only the browser that began it gets any information.
    package var id: Secret
    /// The code that the person types; empty once it has ended.
    package var userCode = ""
    /// Where the person types it.
    package var address: HTTPURL?
    /// The same address with the code in it, if the service provides one.
    package var completeAddress: HTTPURL?
    /// When the code expires, in microseconds since 1970.
    package var endsAt: Int64
    /// The outcome, once there is one.
    package var end: ConsentEnd?
}

/// Consents on other devices: the host asks the services whether people have decided, also after a restart.
extension SourceConnecting {
    /// How many consents are polled at once.
    private static let width = 8
    /// How long one poll may take, after which another process may ask: longer than the limits of the exchange and the check.
    private static let claim: Int64 = 120_000_000
    /// The interval between checks for services due to be polled.
    private static let rhythm = Duration.seconds(1)

    func beginDevice(
        _ plan: ConsentPlan,
        _ connection: ConnectionID,
        _ session: BrowserSession
    ) async throws -> DeviceProgress {
        guard let request = try plan.device() else {
            throw PlugError(.consentUnanswered, "the manifest has no 'device'", advice: "run 'plughost validate'")
        }
        let client = TokenClient(over: throttling.transport, clock: clock, hiding: plan.hidden)
        let device: DeviceAuthorization
        do { device = try await client.deviceCode(request) } catch { throw error.hostError(from: plan.host) }
        let polling = DevicePolling(device)
        guard case .wait(let wait) = polling.begin(now: clock.now()) else {
            throw TokenFailure(.expired, "the code expired immediately").hostError(from: plan.host)
        }
        let id = ConsentName.make()
        let consent = StoredConsent(
            name: ConsentName.hash(id),
            session: session.hash,
            connection: connection,
            // The outcome can still be read after the code has expired.
            endsAt: device.ends + Self.patience.wholeMicroseconds,
            pollAt: clock.now() + wait.wholeMicroseconds,
            content: WaitingConsent.device(device, interval: polling.interval).content
        )
        try await store.keepConsent(consent)
        return Self.progress(id, device)
    }

    /// The state of a consent on another device; `nil` if this browser began none with this id, or it ended long ago.
    package func device(_ id: Secret, in session: BrowserSession) async throws -> DeviceProgress? {
        guard let consent = try await store.consent(ConsentName.hash(id)), consent.session == session.hash else {
            return nil
        }
        switch WaitingConsent(consent.content) {
        case .device(let device, _): return Self.progress(id, device)
        case .ended(let end): return DeviceProgress(id: id, endsAt: consent.endsAt, end: end)
        case .code, .oauth1, .login, .arrival, nil: return nil
        }
    }

    private static func progress(_ id: Secret, _ device: DeviceAuthorization) -> DeviceProgress {
        DeviceProgress(
            id: id,
            userCode: device.userCode,
            address: device.address,
            completeAddress: device.completeAddress,
            endsAt: device.ends
        )
    }

    // MARK: - Asking

    /// Polls for all consents on devices while it runs.
    ///
    /// - Parameter failed: Called with any error that kept it from looking; it tries again.
    /// - Throws: `CancellationError`.
    package func pollDevices(failed: @Sendable (PlugError) -> Void) async throws {
        while true {
            do { _ = try await pollDueDevices() } catch is CancellationError { throw CancellationError() } catch {
                failed(StoreErrors.plugError(error))
            }
            try await clock.sleep(for: Self.rhythm)
        }
    }

    /// Asks the services that are due whether the person has decided.
    ///
    /// - Returns: How many were asked.
    package func pollDueDevices() async throws -> Int {
        let due = try await store.consentsToPoll(limit: Self.width)
        return try await withThrowingTaskGroup { group in
            for consent in due { group.addTask { try await poll(consent) ? 1 : 0 } }
            return try await group.reduce(0, +)
        }
    }

    /// Polls for one consent, unless another process does.
    private func poll(_ consent: StoredConsent) async throws -> Bool {
        guard case .device(let device, let interval) = WaitingConsent(consent.content), let id = consent.connection
        else {
            return false
        }
        var claimed = consent
        claimed.pollAt = clock.now() + Self.claim
        guard let claimed = try await store.changeConsent(claimed) else { return false }
        let polling = DevicePolling(device, interval: interval)
        // The device's code works once: what it yields within moments is kept even if the host is told to stop.
        try await shielded { departure in
            try await departure.giveUp(clock: clock) { try await ask(claimed, device, polling, id) }
        }
        return true
    }

    /// Asks, and keeps the result: tokens, the end, or when to ask next.
    private func ask(
        _ consent: StoredConsent,
        _ device: DeviceAuthorization,
        _ polling: DevicePolling,
        _ connection: ConnectionID
    ) async throws {
        var (next, polling) = (consent, polling)
        do {
            let source = try await ConnectionSource(connection, in: store, plugs)
            let (manifest, settings) = try source.consent()
            guard case .oauth2(let settings)? = settings, settings.grant == .deviceCode else {
                throw ConsentFailure(.foreign).hostError()
            }
            let config = source.config(source.plan.config)
            let plan = try self.plan(settings, manifest, config, source)
            let grant: Grant
            do { grant = try await tokens(.deviceCode(device.deviceCode), plan) } catch {
                guard case .wait(let wait) = polling.next(after: error, now: clock.now()) else {
                    throw error.hostError(from: plan.host)
                }
                next.content = WaitingConsent.device(device, interval: polling.interval).content
                next.pollAt = clock.now() + wait.wholeMicroseconds
                _ = try await store.changeConsent(next)
                return
            }
            let account = try await self.account(manifest, config, source).keep(grant, plan)
            try await resume(connection, by: "person")
            next.content = WaitingConsent.ended(ConsentEnd(account)).content
        } catch let error as PlugError {
            next.content = WaitingConsent.ended(ConsentEnd(error)).content
        }
        next.pollAt = nil
        _ = try await store.changeConsent(next)
    }
}
