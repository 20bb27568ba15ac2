internal import PlugCore
internal import Synchronization

/// Browsers that are logged in to the page, and the keys that log one in. In memory: a restart logs everybody out.
final class Sessions: Sendable {
    static let cookie = "sandbox_session"
    private static let seconds: Int64 = 12 * 3600
    private static let keySeconds: Int64 = 24 * 3600
    private let clock: any HostClock
    private let state = Mutex(State())

    private struct State {
        var sessions: [String: Int64] = [:]
        var keys: [String: Int64] = [:]
    }

    init(clock: any HostClock) { self.clock = clock }

    /// A key that opens one session within a day.
    func makeKey() -> Secret {
        let key = RandomText.hex(bytes: 16)
        let end = clock.seconds + Self.keySeconds
        state.withLock { $0.keys[key] = end }
        return Secret(key)
    }

    /// Opens a session for a key, once.
    func open(key: String) -> String? {
        let now = clock.seconds
        guard let end = state.withLock({ $0.keys.removeValue(forKey: key) }), end > now else { return nil }
        return open()
    }

    /// Opens a session.
    func open() -> String {
        let session = RandomText.hex(bytes: 32)
        let now = clock.seconds
        state.withLock {
            $0.sessions = $0.sessions.filter { $0.value > now }
            $0.sessions[session] = now + Self.seconds
        }
        return session
    }

    /// Whether a cookie header names an open session.
    func isOpen(_ cookies: String?) -> Bool {
        guard let session = Self.session(in: cookies) else { return false }
        let now = clock.seconds
        return state.withLock { ($0.sessions[session] ?? 0) > now }
    }

    /// Ends the session of a cookie header.
    func close(_ cookies: String?) {
        guard let session = Self.session(in: cookies) else { return }
        state.withLock { _ = $0.sessions.removeValue(forKey: session) }
    }

    private static func session(in cookies: String?) -> String? {
        cookies?.split(separator: ";").lazy.map { $0.trimmed }.first { $0.hasPrefix("\(cookie)=") }
            .map { String($0.dropFirst(cookie.count + 1)) }
    }

    /// `Set-Cookie` for a session; `nil` removes it.
    static func header(_ session: String?) -> (name: String, value: String) {
        let age = session == nil ? 0 : seconds
        return ("Set-Cookie", "\(cookie)=\(session ?? ""); Path=/; Max-Age=\(age); HttpOnly; SameSite=Lax")
    }
}
