internal import CurlTransport
internal import PlugCore

/// What a browser stores while its user is at their PDA to log in.
///
/// PDAs redirect only to addresses in an application's definition, and compare them literally: nothing can be added to the
/// address, so the login's state is kept in a cookie.
struct LoginCookie: Sendable {
    /// The page after the login.
    enum Purpose: String, Sendable {
        /// The plug's source.
        case connect
        /// The person's connections.
        case logIn = "login"
    }

    /// The key to the pending login.
    let state: Secret
    let purpose: Purpose

    private static let name = "plughost-login"
    /// The lifetime of a pending login.
    private static let seconds: Int64 = 600

    init(_ state: Secret, _ purpose: Purpose) { (self.state, self.purpose) = (state, purpose) }

    /// The cookie of a request; `nil` if there is none.
    init?(_ request: HostRequest) {
        let cookie = request.cookie.forPurpose(Self.name)
        let parts = cookie.value(in: request.headers.all("Cookie"))?.split(separator: ".").map(String.init) ?? []
        guard parts.count == 2, let purpose = Purpose(rawValue: parts[1]) else { return nil }
        self.init(Secret(parts[0]), purpose)
    }

    /// `Set-Cookie`
    func header(for request: HostRequest) -> (name: String, value: String) {
        let cookie = request.cookie.forPurpose(Self.name)
        return cookie.header(Secret("\(state.reveal()).\(purpose.rawValue)"), seconds: Self.seconds)
    }

    /// `Set-Cookie` that removes it.
    static func removal(for request: HostRequest) -> (name: String, value: String) {
        request.cookie.forPurpose(name).removal
    }
}
