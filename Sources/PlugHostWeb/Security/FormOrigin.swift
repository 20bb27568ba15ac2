internal import CurlTransport

/// The origin of a form, as far as browsers report it.
enum FormOrigin {
    /// Whether to accept a form from this origin. The form's token decides in the end: this rejects foreign forms earlier.
    ///
    /// - Parameter origin: The origin of this host's pages.
    static func isOurs(_ headers: HTTPHeaders, origin: String) -> Bool {
        if let site = headers.first("Sec-Fetch-Site") {
            // Browsers set the header themselves. This host's pages send no referrer, which makes `Origin` null.
            guard site == "same-origin" || site == "none" else { return false }
            return [nil, "null", origin].contains(headers.first("Origin"))
        }
        let given = headers.first("Origin")
        return given == nil || given == origin
    }
}
