internal import Cryptography
internal import PlugCore
internal import Synchronization

/// Browsers that are logged in to the page, and the keys that log one in. In memory: a restart logs everyone out.
final class Sessions: Sendable {
    static let cookie = "sandbox_session"
    private static let seconds: Int64 = 12 * 3600
    private static let keySeconds: Int64 = 24 * 3600
    private let clock: any HostClock
    private let state = Mutex(State())

    private struct State {
        var sessions: [String: (end: Int64, form: String)] = [:]
        var keys: [String: Int64] = [:]
    }

    init(clock: any HostClock) { self.clock = clock }

    /// An address of the page that opens one session within a day: it has a key.
    func address(at origin: String) -> Secret {
        let key = SecureRandom.hexadecimal(bytes: 16)
        let end = clock.seconds + Self.keySeconds
        state.withLock { $0.keys[key] = end }
        return Secret("\(origin)/?key=\(key)")
    }

    /// Opens a session for a key, once.
    func open(key: String) -> String? {
        let now = clock.seconds
        guard let end = state.withLock({ $0.keys.removeValue(forKey: key) }), end > now else { return nil }
        return open()
    }

    /// Opens a session.
    func open() -> String {
        let session = SecureRandom.hexadecimal(bytes: 32)
        let form = SecureRandom.hexadecimal(bytes: 32)
        let now = clock.seconds
        state.withLock {
            $0.sessions = $0.sessions.filter { $0.value.end > now }
            $0.sessions[session] = (now + Self.seconds, form)
        }
        return session
    }

    /// The token in the forms of an open session, so that no other site can send them; `nil` without a session.
    func formToken(_ cookies: String?) -> String? {
        guard let session = Self.value(of: Self.cookie, in: cookies) else { return nil }
        let now = clock.seconds
        return state.withLock { $0.sessions[session].flatMap { $0.end > now ? $0.form : nil } }
    }

    /// Ends the session of a cookie header.
    func close(_ cookies: String?) {
        guard let session = Self.value(of: Self.cookie, in: cookies) else { return }
        state.withLock { _ = $0.sessions.removeValue(forKey: session) }
    }

    static func value(of name: String, in cookies: String?) -> String? {
        cookies?.split(separator: ";").lazy.map { $0.trimmed }.first { $0.hasPrefix("\(name)=") }
            .map { String($0.dropFirst(name.count + 1)) }
    }

    /// `Set-Cookie` for a session; `nil` removes it.
    static func header(_ session: String?) -> (name: String, value: String) {
        let age = session == nil ? 0 : seconds
        return ("Set-Cookie", "\(cookie)=\(session ?? ""); Path=/; Max-Age=\(age); HttpOnly; SameSite=Lax")
    }
}

/// The token of a form that is shown before log-in: a cookie and a field that must be equal.
enum VisitorForm {
    static let cookie = "sandbox_form"
    static let field = "form"

    /// The visitor's token: the cookie's, or a new one.
    static func token(_ request: ServedRequest) -> String {
        let kept = Sessions.value(of: cookie, in: request.header("Cookie"))
        return kept.flatMap { $0.count == 64 && $0.allSatisfy(\.isHexDigit) ? $0 : nil }
            ?? SecureRandom.hexadecimal(bytes: 32)
    }

    /// `Set-Cookie` for a token.
    static func header(_ token: String) -> (name: String, value: String) {
        ("Set-Cookie", "\(cookie)=\(token); Path=/; Max-Age=3600; HttpOnly; SameSite=Strict")
    }

    static func isValid(_ form: [(name: String, value: String)], _ request: ServedRequest) -> Bool {
        guard let kept = Sessions.value(of: cookie, in: request.header("Cookie")), kept.count == 64 else {
            return false
        }
        return form.first { $0.name == field }?.value == kept
    }
}
