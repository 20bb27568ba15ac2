import CLibCURL

/// Owns one easy handle and its error buffer.
///
/// Belongs to the loop's thread throughout its life.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private let errorBuffer: UnsafeMutablePointer<CChar>

    /// `nil` if memory is short. The share, if any, must outlive the handle.
    init?(share: UnsafeMutableRawPointer?) {
        guard let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
        // libcurl may write to the buffer until curl_easy_cleanup, so it is freed after that.
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        if let share { guard plughost_curl_set_share(pointer, share) == CURLE_OK else { return nil } }
    }

    deinit {
        curl_easy_cleanup(pointer)
        errorBuffer.deallocate()
    }

    /// Starts setting options. Those that have been set stay.
    func options() -> EasyOptions {
        errorBuffer[0] = 0
        var options = EasyOptions(pointer: pointer)
        options.note(plughost_curl_set_error_buffer(pointer, errorBuffer))
        return options
    }

    /// libcurl's text about the last failure; empty if there is none.
    var errorText: String { String(cString: errorBuffer) }

    /// A number about the transfer that has just ended; 0 if there is none.
    func long(_ info: CURLINFO) -> Int {
        var value = 0
        return plughost_curl_get_long(pointer, info, &value) == CURLE_OK ? value : 0
    }

    /// A size; 0 if there is none.
    func size(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        return plughost_curl_get_off(pointer, info, &value) == CURLE_OK ? Int(value) : 0
    }
}

/// Sets options and keeps the first failure, so that a single check is enough.
struct EasyOptions {
    let pointer: UnsafeMutableRawPointer
    private(set) var failure = CURLE_OK

    init(pointer: UnsafeMutableRawPointer) { self.pointer = pointer }

    mutating func note(_ code: CURLcode) {
        if failure == CURLE_OK { failure = code }
    }

    mutating func set(_ option: CURLoption, _ value: Int) { note(plughost_curl_set_long(pointer, option, value)) }

    mutating func set(_ option: CURLoption, _ value: Bool) { set(option, value ? 1 : 0) }

    mutating func set(_ option: CURLoption, _ value: Duration) {
        let parts = value.components
        // 0 would mean "no limit" to libcurl.
        set(option, max(1, Int(clamping: parts.seconds) &* 1000 &+ Int(parts.attoseconds / 1_000_000_000_000_000)))
    }

    /// libcurl copies the text. `nil` unsets it.
    mutating func set(_ option: CURLoption, _ value: String?) { note(plughost_curl_set_string(pointer, option, value)) }
}
