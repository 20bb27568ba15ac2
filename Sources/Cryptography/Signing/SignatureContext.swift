internal import CLibCrypto

/// One signing or verifying, on one thread. It is freed with this value.
struct SignatureContext: ~Copyable {
    /// What makes a signature of a hash.
    enum Scheme {
        /// RSA with PKCS #1 v1.5.
        case pkcs1
        /// ECDSA, whose signatures are in DER.
        case ecdsa
    }

    private let context: OpaquePointer

    init() { context = made(EVP_MD_CTX_new()) }

    // Frees the EVP_PKEY_CTX that beginning gave, too.
    deinit { EVP_MD_CTX_free(context) }

    /// `false` if the key cannot sign, as it has no private part. The context takes a reference to the key.
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

    /// `nil` if the numbers of the key do not fit together.
    func signature(of message: [UInt8], size: Int) -> [UInt8]? {
        var isSigned = false
        let signature = [UInt8](unsafeUninitializedCapacity: size) { signature, count in
            var written = size
            // Writes at most as much as it is told that there is place for.
            isSigned = EVP_DigestSign(context, signature.baseAddress, &written, message, message.count) == 1
            count = isSigned ? written : 0
        }
        return isSigned ? signature : nil
    }

    /// Anything but 1 is no: a signature that is another's, has the wrong size, or is none.
    func verifies(_ signature: [UInt8], _ message: [UInt8]) -> Bool {
        EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
