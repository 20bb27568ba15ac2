internal import Glibc

/// libarchive gives names in the encoding of the thread's locale, which is ASCII for a service; names in archives are UTF-8.
enum NameLocale {
    /// Never freed: it is the same for the whole process. `nil` on a system without it, where non-ASCII names have `?`.
    ///
    /// - Note: `nonisolated(unsafe)` proof: the pointer is constant, created once under Swift's lock for static values, and its
    ///   target is never changed or freed; uselocale(3) only reads it, in any thread.
    nonisolated(unsafe) private static let utf8: locale_t? = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)

    /// Runs `body` with UTF-8 as the thread's encoding, then restores the previous one.
    static func with<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard let utf8 else { return try body() }
        // uselocale(3) changes this thread alone, and `body` runs on it to its end: nothing in it is asynchronous.
        let before = uselocale(utf8)
        defer { _ = uselocale(before) }
        return try body()
    }
}
