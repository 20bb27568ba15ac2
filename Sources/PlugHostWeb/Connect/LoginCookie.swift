internal import CurlTransport
internal import PlugCore

/// What a browser remembers while it is at its PDA to log in.
///
/// PDAs lead people only to addresses that an application's definition names, and compare them as they are: nothing can be added
/// to the address, so the state of the login lies in a cookie.
struct LoginCookie: Sendable {
    /// Where the login leads.
    enum Purpose: String, Sendable {
        /// To the plug's source.
        case connect
        /// To the person's connections.
        case logIn = "login"
    }

    /// What finds the login.
    let state: Secret
    let purpose: Purpose

    private static let name = "plughost-login"
    /// As long as a login waits for its answer.
    private static let seconds: Int64 = 600

    init(_ state: Secret, _ purpose: Purpose) { (self.state, self.purpose) = (state, purpose) }

    /// What a browser has brought; `nil` if there is nothing.
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
