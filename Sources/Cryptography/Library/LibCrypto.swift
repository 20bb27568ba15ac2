internal import CLibCrypto

/// OpenSSL's libcrypto as a whole: its start, and the algorithms that are used, each fetched once when first needed.
///
/// The algorithms come from a library context of our own with the provider that is built into libcrypto. So they do not
/// depend on this machine's openssl.cnf, which is for what libcurl does: what was sealed stays readable whatever it says.
package enum LibCrypto {
    /// Starts the library so that it stays usable until the process has ended. Without this, exit(3) frees what other
    /// threads still use. It has to come before anything else that uses OpenSSL; later it does nothing.
    package static func start() { _ = started }

    /// plughost_crypto_start only fails if memory is short.
    private static let started: Void = succeeded(plughost_crypto_start())

    /// OSSL_LIB_CTX_new and OSSL_PROVIDER_load give objects that are ours. They are needed as long as the process lives, and
    /// never freed.
    static let context: Fetched = {
        start()
        let context = Fetched(OSSL_LIB_CTX_new())
        // Part of libcrypto itself: no file is looked for.
        _ = Fetched(OSSL_PROVIDER_load(context.pointer, "default"))
        return context
    }()

    static let sha256 = Fetched(EVP_MD_fetch(context.pointer, "SHA2-256", nil))
    static let aes256GCM = Fetched(EVP_CIPHER_fetch(context.pointer, "AES-256-GCM", nil))
}

/// An object of the library that is made once and lives as long as the process.
///
/// - Note: `@unchecked Sendable` proof: the pointer is constant, and what it points at is never freed. OpenSSL lets any number
///   of threads use a library context and fetched algorithms at once (openssl-threads(7); their counts are atomic).
struct Fetched: @unchecked Sendable {
    let pointer: OpaquePointer

    /// `nil` cannot happen: the built-in provider has every algorithm that is asked for here, so only memory may be short.
    init(_ pointer: OpaquePointer?) {
        guard let pointer else { preconditionFailure("libcrypto has no memory, or lacks its own algorithms") }
        self.pointer = pointer
    }
}

/// Ends the process where a call failed that only fails for lack of memory: its arguments are valid by construction.
func succeeded(_ result: Int32) { precondition(result == 1, "libcrypto has no memory") }

/// An object that is the caller's to free. `nil` only if memory is short.
func made(_ pointer: OpaquePointer?) -> OpaquePointer {
    guard let pointer else { preconditionFailure("libcrypto has no memory") }
    return pointer
}

/// Forgets this thread's errors of libcrypto. What fails leaves some, which the thread's next user of OpenSSL would find.
func forgetErrors() { ERR_clear_error() }
