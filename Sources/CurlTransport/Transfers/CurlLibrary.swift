import CLibCURL
import Glibc

/// The library as a whole.
enum CurlLibrary {
    /// The result of starting it, once and when it is first needed: starting costs milliseconds.
    ///
    /// curl_global_cleanup is never called: other threads of the process may use OpenSSL until its end.
    static let start: CURLcode = plughost_curl_global_init()

    /// What curl_version(3) says: a text of the library that stays; it is copied.
    static var version: String { String(cString: curl_version()) }

    /// Nanoseconds on the clock that never goes back.
    static func monotonicNow() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
