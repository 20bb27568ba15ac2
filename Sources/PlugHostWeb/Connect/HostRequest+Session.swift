internal import Connecting
internal import CurlTransport

extension NetworkPolicy {
    /// Where forms that are led on to a PDA or a provider may lead. They go to addresses that are not known when the page is
    /// shown, and often on from there.
    var formTargets: [String] {
        let isPlain = !allowedPDANetworks.isEmpty || !allowedSourceNetworks.isEmpty || !trustedPDAs.isEmpty
        return isPlain ? ["https:", "http:"] : ["https:"]
    }
}

extension HostRequest {
    /// The browser, as those know it who keep what was begun in it.
    var session: BrowserSession { BrowserSession(id: browser.text) }

    /// Leads the browser to another page, and lets it have its secret if it has none yet.
    func lead(to path: String) -> HostAnswer {
        var answer = HostAnswer.redirect(to: path)
        if browser.isNew { answer.cookie = .set(browser, seconds: nil) }
        return answer
    }
}
