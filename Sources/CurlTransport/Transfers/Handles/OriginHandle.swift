import CLibCURL

/// Owns an origin in libcurl's parsed form.
///
/// Belongs to the loop's thread throughout its life.
final class OriginHandle {
    private let pointer: OpaquePointer
    private var origin = ""

    /// `nil` if memory is short.
    init?() {
        guard let pointer = curl_url() else { return nil }
        self.pointer = pointer
    }

    deinit { curl_url_cleanup(pointer) }

    /// Sets the origin, and has the requests of an easy handle go there, which this must outlive.
    func set(_ origin: String, for options: inout EasyOptions) {
        guard origin != self.origin else { return }
        // On failure the old URL stays, and the request is refused.
        guard curl_url_set(pointer, CURLUPART_URL, origin, 0) == CURLUE_OK else {
            return options.note(CURLE_URL_MALFORMAT)
        }
        options.note(plughost_curl_set_url(options.pointer, pointer))
        options.set(CURLOPT_URL, origin)
        self.origin = origin
    }
}
