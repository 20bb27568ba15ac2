internal import CLibCrypto

/// One signing or verification, on one thread. It is freed with this value.
struct SignatureContext: ~Copyable {
    /// How a signature is made from a hash.
    enum Scheme {
        /// RSA with PKCS #1 v1.5.
        case pkcs1
        /// ECDSA, with signatures in DER.
        case ecdsa
    }

    private let context: OpaquePointer

    init() { context = made(EVP_MD_CTX_new()) }

    // Also frees the EVP_PKEY_CTX created at the beginning.
    deinit { EVP_MD_CTX_free(context) }

    /// `false` if the key cannot sign, because it has no private part. The context takes a reference to the key.
    func beginSigning(_ key: OpaquePointer, _ scheme: Scheme, _ hash: HashFunction = .sha256) -> Bool {
        var options: OpaquePointer?
        return EVP_DigestSignInit_ex(
            context,
            &options,
            hash.libraryName,
            LibCrypto.context.pointer,
            nil,
            key,
            nil
        ) == 1
            && (scheme == .ecdsa || EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PADDING) == 1)
    }

    /// Any key of the scheme can verify.
    func beginVerifying(_ key: OpaquePointer, _ scheme: Scheme, _ hash: HashFunction = .sha256) {
        var options: OpaquePointer?
        succeeded(
            EVP_DigestVerifyInit_ex(
                context,
                &options,
                hash.libraryName,
                LibCrypto.context.pointer,
                nil,
                key,
                nil
            )
        )
        if scheme == .pkcs1 { succeeded(EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PADDING)) }
    }

    /// `nil` if the key's numbers are inconsistent.
    func signature(of message: [UInt8], size: Int) -> [UInt8]? {
        var isSigned = false
        let signature = [UInt8](unsafeUninitializedCapacity: size) { signature, count in
            var written = size
            // Writes no more than the given capacity.
            isSigned = EVP_DigestSign(context, signature.baseAddress, &written, message, message.count) == 1
            count = isSigned ? written : 0
        }
        return isSigned ? signature : nil
    }

    /// Anything but 1 means no: another key's signature, a wrong size, or not a signature.
    func verifies(_ signature: [UInt8], _ message: [UInt8]) -> Bool {
        EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
