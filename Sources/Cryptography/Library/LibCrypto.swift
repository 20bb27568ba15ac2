internal import CLibCrypto

/// OpenSSL's libcrypto as a whole: its initialisation, and the algorithms in use, each fetched once on first use.
///
/// The algorithms come from our own library context with the provider built into libcrypto. So they do not depend on this
/// machine's openssl.cnf, which applies to libcurl: sealed values stay readable whatever it says.
package enum LibCrypto {
    /// Initialises the library so that it stays usable until the process has ended. Without this, exit(3) frees what other
    /// threads still use. Call it before anything else that uses OpenSSL; later it has no effect.
    package static func start() { _ = started }

    /// plughost_crypto_start fails only if memory is short.
    private static let started: Void = succeeded(plughost_crypto_start())

    /// OSSL_LIB_CTX_new and OSSL_PROVIDER_load return objects that we own. They are needed as long as the process lives, and
    /// never freed.
    static let context: Fetched = {
        start()
        let context = Fetched(OSSL_LIB_CTX_new())
        // Part of libcrypto itself: no file is loaded.
        _ = Fetched(OSSL_PROVIDER_load(context.pointer, "default"))
        return context
    }()

    static let sha256 = Fetched(EVP_MD_fetch(context.pointer, "SHA2-256", nil))
    static let aes256GCM = Fetched(EVP_CIPHER_fetch(context.pointer, "AES-256-GCM", nil))
}

/// A library object that is created once and lives as long as the process.
///
/// - Note: `@unchecked Sendable` proof: the pointer is constant, and what it points to is never freed. OpenSSL lets any number of
///   threads use a library context and fetched algorithms at once (openssl-threads(7); their counts are atomic).
struct Fetched: @unchecked Sendable {
    let pointer: OpaquePointer

    /// `nil` cannot happen unless memory is short: the built-in provider has every algorithm requested here.
    init(_ pointer: OpaquePointer?) {
        guard let pointer else { preconditionFailure("libcrypto has no memory, or lacks its own algorithms") }
        self.pointer = pointer
    }
}

/// Ends the process if a call failed that can fail only for lack of memory: its arguments are valid by construction.
func succeeded(_ result: Int32) { precondition(result == 1, "libcrypto has no memory") }

/// An object for the caller to free. `nil` only if memory is short.
func made(_ pointer: OpaquePointer?) -> OpaquePointer {
    guard let pointer else { preconditionFailure("libcrypto has no memory") }
    return pointer
}

/// Clears this thread's libcrypto errors. Failures leave some behind, which the thread's next user of OpenSSL would find.
func forgetErrors() { ERR_clear_error() }
