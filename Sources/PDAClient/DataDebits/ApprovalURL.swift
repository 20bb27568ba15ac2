internal import PDAWire
internal import PlugCore

extension PDA {
    /// The page where the owner agrees to a data debit, in a browser (S32). Nothing is sent.
    ///
    /// The PDA's page opens exactly one of the two addresses, unchanged and without a token: fetch the data debit to find out
    /// what the owner did.
    ///
    /// - Parameters:
    ///   - key: The data debit.
    ///   - redirect: Opened after the owner agreed, such as `acme://debit-accepted`.
    ///   - fallback: Opened after the owner declined; without it the PDA's own list is opened.
    /// - Throws: `PDAError` `invalid_request` for an impossible key, or an address without a scheme.
    public func approvalURL(
        of key: String,
        redirect: String,
        fallback: String? = nil
    ) throws(PDAError) -> String {
        try DebitName.check(key, at: "dataDebitKey")
        var url = "\(origin)/#/data-debit/\(key)/quick-confirm?redirect=\(try Self.encoded(redirect, "redirect"))"
        if let fallback { url += "&fallback=\(try Self.encoded(fallback, "fallback"))" }
        return url
    }

    /// The same in the documented form: back to `SCHEME://HOST`, or to `SCHEME://dataDebitFailure`. The documentation
    /// leaves out the second `://`.
    ///
    /// - Parameters:
    ///   - key: The data debit.
    ///   - scheme: The app's scheme, such as `acme`; anything after `://` in it is ignored.
    ///   - host: What identifies the data debit to the app.
    public func approvalURL(of key: String, scheme: String, host: String) throws(PDAError) -> String {
        let scheme = scheme.firstRange(of: "://").map { String(scheme[..<$0.lowerBound]) } ?? scheme
        return try approvalURL(of: key, redirect: "\(scheme)://\(host)", fallback: "\(scheme)://dataDebitFailure")
    }

    static func encoded(_ address: String, _ name: String) throws(PDAError) -> String {
        guard let colon = address.firstIndex(of: ":"), Self.isScheme(address[..<colon]) else {
            throw PDAError(
                .invalidRequest,
                "the \(name) address has no scheme",
                advice: "write the full address, such as acme://done or https://acme.example/done"
            )
        }
        return PercentEncoding.segment(address)
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
