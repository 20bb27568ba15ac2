import CurlTransport
import PlugCore

extension Exchange {
    /// Adds the cookies that the source has set, except those that the manifest sets itself.
    func addCookies(to request: inout OutgoingRequest) {
        guard let jar else { return }
        let own = Set(request.cookieNames)
        request.addCookies(jar.cookies(for: request.url, now: clock.now()).filter { !own.contains($0.name) })
    }

    /// Keeps the cookies that an answer of the source sets.
    func keepCookies(of response: HTTPResponse, from url: HTTPURL) {
        guard let jar, hosts.contains(url) else { return }
        for value in jar.keep(response.headers, from: url, now: clock.now()) { redactor.issue(cookie: value) }
    }
}
