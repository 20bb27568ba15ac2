internal import CurlTransport

/// Where a form was sent from, as far as browsers say.
enum FormOrigin {
    /// Whether a form may come from there. The form's token decides in the end: this stops what is foreign before.
    ///
    /// - Parameter origin: Where this host has its pages.
    static func isOurs(_ headers: HTTPHeaders, origin: String) -> Bool {
        if let site = headers.first("Sec-Fetch-Site") {
            // Browsers write the header themselves. Pages of this host ask for no referrer, which makes `Origin` null.
            guard site == "same-origin" || site == "none" else { return false }
            return [nil, "null", origin].contains(headers.first("Origin"))
        }
        let given = headers.first("Origin")
        return given == nil || given == origin
    }
}
