#ifndef PLUGHOST_CLIBCRYPTO_SHIM_H
#define PLUGHOST_CLIBCRYPTO_SHIM_H

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>

// What is variadic or a macro of flags is not imported into Swift: one wrapper for each, whose types the C compiler checks.

/// Starts the library without its handler at exit(3): while that frees the library's memory, other threads may use it.
/// 1 on success. Only the first start of a process decides. Safe to call from any thread.
static inline int plughost_crypto_start(void) { return OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL); }

/// A new RSA key with the exponent 65537, which the caller frees; NULL where it cannot be made.
static inline EVP_PKEY *_Nullable plughost_crypto_make_rsa_key(OSSL_LIB_CTX *_Nonnull library, size_t bits) {
    return EVP_PKEY_Q_keygen(library, NULL, "RSA", bits);
}

/// A new key on the curve P-256, which the caller frees; NULL where it cannot be made.
static inline EVP_PKEY *_Nullable plughost_crypto_make_p256_key(OSSL_LIB_CTX *_Nonnull library) {
    return EVP_PKEY_Q_keygen(library, NULL, "EC", "P-256");
}

#endif
