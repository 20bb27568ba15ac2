internal import Connecting
internal import CurlTransport

extension NetworkPolicy {
    /// The targets of forms that redirect to a PDA or a provider. Their addresses are not known when the page is shown, and often
    /// redirect further.
    var formTargets: [String] {
        let isPlain = !allowedPDANetworks.isEmpty || !allowedSourceNetworks.isEmpty || !trustedPDAs.isEmpty
        return isPlain ? ["https:", "http:"] : ["https:"]
    }
}

extension HostRequest {
    /// The browser, as the store of what was begun in it identifies it.
    var session: BrowserSession { BrowserSession(id: browser.text) }

    /// Redirects the browser to another page, and sets its secret if it has none yet.
    func lead(to path: String) -> HostAnswer {
        var answer = HostAnswer.redirect(to: path)
        if browser.isNew { answer.cookie = .set(browser, seconds: nil) }
        return answer
    }
}
