import CLibCURL
import Glibc

/// The library as a whole.
enum CurlLibrary {
    /// The result of initialising the library, once and on first use: it takes milliseconds.
    ///
    /// curl_global_cleanup is never called: other threads may use OpenSSL until the process ends.
    static let start: CURLcode = plughost_curl_global_init()

    /// The text of curl_version(3), copied from the library's static memory.
    static var version: String { String(cString: curl_version()) }

    /// Nanoseconds on the monotonic clock.
    static func monotonicNow() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
