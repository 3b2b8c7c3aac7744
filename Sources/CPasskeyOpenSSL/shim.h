#pragma once

// The one door to libcrypto. What OpenSSL 3.0 deprecates is not declared, so that a use of it does not compile.
//
// Swift hands a C function a copy of a string that lives as long as the call, and OSSL_PARAM, EVP_PKEY_CTX and others
// keep the pointer. Whatever is given a name is therefore here, where every name is a literal.

#ifndef OPENSSL_NO_DEPRECATED
#define OPENSSL_NO_DEPRECATED 1
#endif
#ifndef OPENSSL_API_COMPAT
#define OPENSSL_API_COMPAT 30000
#endif

#include <openssl/opensslv.h>

#if !defined(OPENSSL_VERSION_MAJOR) || OPENSSL_VERSION_MAJOR < 3
#error "swift-passkey needs the headers of OpenSSL 3.0 or later"
#endif

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

// MARK: Names

/// The kinds of key that a passkey may have.
typedef enum __attribute__((enum_extensibility(closed))) passkey_key_kind {
    passkey_key_kind_p256,
    passkey_key_kind_p384,
    passkey_key_kind_p521,
    passkey_key_kind_secp256k1,
    passkey_key_kind_rsa,
    passkey_key_kind_ed25519,
    passkey_key_kind_ed448,
    passkey_key_kind_mldsa44,
    passkey_key_kind_mldsa65,
    passkey_key_kind_mldsa87,
} passkey_key_kind;

/// The name of the key's type, which is what fetches a key manager and what `EVP_PKEY_is_a` compares.
static inline const char *_Nonnull passkey_key_type(passkey_key_kind kind) {
    switch (kind) {
    case passkey_key_kind_p256:
    case passkey_key_kind_p384:
    case passkey_key_kind_p521:
    case passkey_key_kind_secp256k1: return "EC";
    case passkey_key_kind_rsa: return "RSA";
    case passkey_key_kind_ed25519: return "ED25519";
    case passkey_key_kind_ed448: return "ED448";
    case passkey_key_kind_mldsa44: return "ML-DSA-44";
    case passkey_key_kind_mldsa65: return "ML-DSA-65";
    case passkey_key_kind_mldsa87: return "ML-DSA-87";
    }
    return "";
}

/// The name of the curve of an EC key, and NULL for any other key.
static inline const char *_Nullable passkey_key_group(passkey_key_kind kind) {
    switch (kind) {
    case passkey_key_kind_p256: return "prime256v1";
    case passkey_key_kind_p384: return "secp384r1";
    case passkey_key_kind_p521: return "secp521r1";
    case passkey_key_kind_secp256k1: return "secp256k1";
    default: return NULL;
    }
}

// MARK: Parameters

/// Copies a big-endian number into the machine's byte order, which is how an OSSL_PARAM holds an integer.
static inline void passkey_native_order(unsigned char *_Nonnull copy, const unsigned char *_Nonnull number,
                                        size_t count) {
    for (size_t i = 0; i < count; i++) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        copy[i] = number[count - 1 - i];
#else
        copy[i] = number[i];
#endif
    }
}

/// An octet string parameter over bytes that the callee only reads.
static inline OSSL_PARAM passkey_octets(const char *_Nonnull name, const unsigned char *_Nonnull bytes, size_t count) {
    return OSSL_PARAM_construct_octet_string(name, (void *)(uintptr_t)bytes, count);
}

/// A text parameter over a literal.
static inline OSSL_PARAM passkey_text(const char *_Nonnull name, const char *_Nonnull literal) {
    return OSSL_PARAM_construct_utf8_string(name, (char *)(uintptr_t)literal, 0);
}

/// Builds a key out of parameters, or returns NULL.
static inline EVP_PKEY *_Nullable passkey_key_fromdata(passkey_key_kind kind, int selection,
                                                       OSSL_PARAM *_Nonnull parameters) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, passkey_key_type(kind), NULL);
    if (context == NULL || EVP_PKEY_fromdata_init(context) != 1 ||
        EVP_PKEY_fromdata(context, &key, selection, parameters) != 1) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

// MARK: Keys

/// Whether the providers that are loaded have this kind of key and its signature.
static inline int passkey_key_is_available(passkey_key_kind kind) {
    const char *group = passkey_key_group(kind);
    EVP_SIGNATURE *signature = EVP_SIGNATURE_fetch(NULL, group != NULL ? "ECDSA" : passkey_key_type(kind), NULL);
    if (signature == NULL)
        return 0;
    EVP_SIGNATURE_free(signature);
    if (group != NULL) {
        OSSL_PARAM parameters[2];
        parameters[0] = passkey_text(OSSL_PKEY_PARAM_GROUP_NAME, group);
        parameters[1] = OSSL_PARAM_construct_end();
        EVP_PKEY *key = passkey_key_fromdata(kind, EVP_PKEY_KEY_PARAMETERS, parameters);
        EVP_PKEY_free(key);
        return key != NULL;
    }
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, passkey_key_type(kind), NULL);
    EVP_PKEY_CTX_free(context);
    return context != NULL;
}

/// A context that generates keys of a kind; `bits` is the size of an RSA modulus.
static inline EVP_PKEY_CTX *_Nullable passkey_key_generator(passkey_key_kind kind, int bits) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, passkey_key_type(kind), NULL);
    if (context == NULL || EVP_PKEY_keygen_init(context) != 1)
        goto failed;
    if (kind == passkey_key_kind_rsa && EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) != 1)
        goto failed;
    if (passkey_key_group(kind) != NULL) {
        OSSL_PARAM parameters[2];
        parameters[0] = passkey_text(OSSL_PKEY_PARAM_GROUP_NAME, passkey_key_group(kind));
        parameters[1] = OSSL_PARAM_construct_end();
        if (EVP_PKEY_CTX_set_params(context, parameters) != 1)
            goto failed;
    }
    return context;
failed:
    EVP_PKEY_CTX_free(context);
    return NULL;
}

/// Imports a public key that is one octet string: `04 || x || y`, or a raw Edwards or ML-DSA key.
static inline EVP_PKEY *_Nullable passkey_key_import_public(passkey_key_kind kind, const unsigned char *_Nonnull octets,
                                                            size_t count) {
    OSSL_PARAM parameters[3];
    size_t used = 0;
    if (passkey_key_group(kind) != NULL)
        parameters[used++] = passkey_text(OSSL_PKEY_PARAM_GROUP_NAME, passkey_key_group(kind));
    parameters[used++] = passkey_octets(OSSL_PKEY_PARAM_PUB_KEY, octets, count);
    parameters[used] = OSSL_PARAM_construct_end();
    return passkey_key_fromdata(kind, EVP_PKEY_PUBLIC_KEY, parameters);
}

/// The longest number of an RSA key that is imported, in bytes: 8192 bits.
#define PASSKEY_RSA_MAXIMUM 1024

/// Imports an RSA public key from big-endian numbers.
static inline EVP_PKEY *_Nullable passkey_key_import_rsa(const unsigned char *_Nonnull modulus, size_t modulus_count,
                                                         const unsigned char *_Nonnull exponent,
                                                         size_t exponent_count) {
    unsigned char n[PASSKEY_RSA_MAXIMUM], e[PASSKEY_RSA_MAXIMUM];
    if (modulus_count == 0 || modulus_count > sizeof n || exponent_count == 0 || exponent_count > sizeof e)
        return NULL;
    passkey_native_order(n, modulus, modulus_count);
    passkey_native_order(e, exponent, exponent_count);
    OSSL_PARAM parameters[3];
    parameters[0] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_N, n, modulus_count);
    parameters[1] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_E, e, exponent_count);
    parameters[2] = OSSL_PARAM_construct_end();
    return passkey_key_fromdata(passkey_key_kind_rsa, EVP_PKEY_PUBLIC_KEY, parameters);
}

/// Imports an EC key pair: a big-endian scalar and the point `04 || x || y` that belongs to it.
static inline EVP_PKEY *_Nullable passkey_key_import_ec(passkey_key_kind kind, const unsigned char *_Nonnull scalar,
                                                        size_t scalar_count, const unsigned char *_Nonnull point,
                                                        size_t point_count) {
    unsigned char d[66];
    const char *group = passkey_key_group(kind);
    if (group == NULL || scalar_count == 0 || scalar_count > sizeof d)
        return NULL;
    passkey_native_order(d, scalar, scalar_count);
    OSSL_PARAM parameters[4];
    parameters[0] = passkey_text(OSSL_PKEY_PARAM_GROUP_NAME, group);
    parameters[1] = passkey_octets(OSSL_PKEY_PARAM_PUB_KEY, point, point_count);
    parameters[2] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, d, scalar_count);
    parameters[3] = OSSL_PARAM_construct_end();
    EVP_PKEY *key = passkey_key_fromdata(kind, EVP_PKEY_KEYPAIR, parameters);
    OPENSSL_cleanse(d, sizeof d);
    return key;
}

/// Imports a key pair from the bytes that everything else of it is computed from: an Edwards private key of RFC 8032,
/// or the seed of an ML-DSA key.
static inline EVP_PKEY *_Nullable passkey_key_import_seed(passkey_key_kind kind, const unsigned char *_Nonnull seed,
                                                          size_t count) {
    OSSL_PARAM parameters[2];
    switch (kind) {
    case passkey_key_kind_ed25519:
    case passkey_key_kind_ed448: parameters[0] = passkey_octets(OSSL_PKEY_PARAM_PRIV_KEY, seed, count); break;
    case passkey_key_kind_mldsa44:
    case passkey_key_kind_mldsa65:
    // OSSL_PKEY_PARAM_ML_DSA_SEED, which headers before 3.5 do not have.
    case passkey_key_kind_mldsa87: parameters[0] = passkey_octets("seed", seed, count); break;
    default: return NULL;
    }
    parameters[1] = OSSL_PARAM_construct_end();
    return passkey_key_fromdata(kind, EVP_PKEY_KEYPAIR, parameters);
}

/// Imports an RSA key pair from its primes and its public exponent, and computes the rest (RFC 8017 section 3.2).
static inline EVP_PKEY *_Nullable passkey_key_import_rsa_primes(const unsigned char *_Nonnull first, size_t first_count,
                                                                const unsigned char *_Nonnull second,
                                                                size_t second_count,
                                                                const unsigned char *_Nonnull exponent,
                                                                size_t exponent_count) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM *parameters = NULL;
    OSSL_PARAM_BLD *builder = NULL;
    BN_CTX *scratch = NULL;
    if (first_count == 0 || first_count > PASSKEY_RSA_MAXIMUM || second_count == 0 ||
        second_count > PASSKEY_RSA_MAXIMUM || exponent_count == 0 || exponent_count > PASSKEY_RSA_MAXIMUM)
        return NULL;
    builder = OSSL_PARAM_BLD_new();
    scratch = BN_CTX_secure_new();
    if (builder == NULL || scratch == NULL)
        goto done;
    BN_CTX_start(scratch);
    BIGNUM *p = BN_CTX_get(scratch), *q = BN_CTX_get(scratch), *e = BN_CTX_get(scratch), *n = BN_CTX_get(scratch);
    BIGNUM *p1 = BN_CTX_get(scratch), *q1 = BN_CTX_get(scratch), *phi = BN_CTX_get(scratch);
    BIGNUM *common = BN_CTX_get(scratch), *lambda = BN_CTX_get(scratch);
    BIGNUM *d = BN_CTX_get(scratch), *dp = BN_CTX_get(scratch), *dq = BN_CTX_get(scratch), *qi = BN_CTX_get(scratch);
    if (qi != NULL && BN_bin2bn(first, (int)first_count, p) != NULL &&
        BN_bin2bn(second, (int)second_count, q) != NULL && BN_bin2bn(exponent, (int)exponent_count, e) != NULL &&
        BN_cmp(p, BN_value_one()) > 0 && BN_cmp(q, BN_value_one()) > 0 && BN_mul(n, p, q, scratch) == 1 &&
        BN_sub(p1, p, BN_value_one()) == 1 && BN_sub(q1, q, BN_value_one()) == 1 &&
        BN_mul(phi, p1, q1, scratch) == 1 && BN_gcd(common, p1, q1, scratch) == 1 &&
        BN_div(lambda, NULL, phi, common, scratch) == 1 && BN_mod_inverse(d, e, lambda, scratch) != NULL &&
        BN_mod(dp, d, p1, scratch) == 1 && BN_mod(dq, d, q1, scratch) == 1 &&
        BN_mod_inverse(qi, q, p, scratch) != NULL && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_D, d) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_FACTOR1, p) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_FACTOR2, q) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_EXPONENT1, dp) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_EXPONENT2, dq) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_COEFFICIENT1, qi) == 1 &&
        (parameters = OSSL_PARAM_BLD_to_param(builder)) != NULL)
        key = passkey_key_fromdata(passkey_key_kind_rsa, EVP_PKEY_KEYPAIR, parameters);
    BN_CTX_end(scratch);
done:
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    BN_CTX_free(scratch);
    return key;
}

/// Whether a key is of a kind, the curve included.
static inline int passkey_key_is(const EVP_PKEY *_Nonnull key, passkey_key_kind kind) {
    if (EVP_PKEY_is_a(key, passkey_key_type(kind)) != 1)
        return 0;
    const char *group = passkey_key_group(kind);
    if (group == NULL)
        return 1;
    char name[64];
    size_t count = 0;
    return EVP_PKEY_get_group_name(key, name, sizeof name, &count) == 1 && strcmp(name, group) == 0;
}

/// Copies the public key's octets out: a point as `04 || x || y`, or a raw Edwards or ML-DSA key.
///
/// - Returns: 1 if all of it fitted into `capacity`; `count` is then its length.
static inline int passkey_key_public_octets(const EVP_PKEY *_Nonnull key, unsigned char *_Nonnull octets,
                                            size_t capacity, size_t *_Nonnull count) {
    // The other parameter of an EC key has the form that the key came in, which may be compressed.
    const char *name = EVP_PKEY_is_a(key, "EC") == 1 ? OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY : OSSL_PKEY_PARAM_PUB_KEY;
    return EVP_PKEY_get_octet_string_param(key, name, octets, capacity, count);
}

/// The secret scalar of an EC key, to be freed with `BN_clear_free`, or NULL.
static inline BIGNUM *_Nullable passkey_key_scalar(const EVP_PKEY *_Nonnull key) {
    BIGNUM *scalar = NULL;
    if (EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &scalar) != 1) {
        BN_clear_free(scalar);
        return NULL;
    }
    return scalar;
}

/// The modulus of an RSA key, to be freed with `BN_free`, or NULL.
static inline BIGNUM *_Nullable passkey_key_rsa_modulus(const EVP_PKEY *_Nonnull key) {
    BIGNUM *modulus = NULL;
    if (EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_N, &modulus) != 1) {
        BN_free(modulus);
        return NULL;
    }
    return modulus;
}

/// The public exponent of an RSA key, to be freed with `BN_free`, or NULL.
static inline BIGNUM *_Nullable passkey_key_rsa_exponent(const EVP_PKEY *_Nonnull key) {
    BIGNUM *exponent = NULL;
    if (EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &exponent) != 1) {
        BN_free(exponent);
        return NULL;
    }
    return exponent;
}

/// Asks an ML-DSA signature for the deterministic variant of FIPS 204.
static inline int passkey_signature_set_deterministic(EVP_PKEY_CTX *_Nonnull context) {
    int deterministic = 1;
    OSSL_PARAM parameters[2];
    // OSSL_SIGNATURE_PARAM_DETERMINISTIC, which headers before 3.2 do not have.
    parameters[0] = OSSL_PARAM_construct_int("deterministic", &deterministic);
    parameters[1] = OSSL_PARAM_construct_end();
    return EVP_PKEY_CTX_set_params(context, parameters);
}

// MARK: Algorithms that are fetched by name

/// The digests in use.
typedef enum __attribute__((enum_extensibility(closed))) passkey_digest_kind {
    passkey_digest_kind_sha1,
    passkey_digest_kind_sha256,
    passkey_digest_kind_sha384,
    passkey_digest_kind_sha512,
} passkey_digest_kind;

/// Fetches a digest.
static inline EVP_MD *_Nullable passkey_digest_fetch(passkey_digest_kind kind) {
    switch (kind) {
    case passkey_digest_kind_sha1: return EVP_MD_fetch(NULL, "SHA1", NULL);
    case passkey_digest_kind_sha256: return EVP_MD_fetch(NULL, "SHA2-256", NULL);
    case passkey_digest_kind_sha384: return EVP_MD_fetch(NULL, "SHA2-384", NULL);
    case passkey_digest_kind_sha512: return EVP_MD_fetch(NULL, "SHA2-512", NULL);
    }
    return NULL;
}

/// Fetches AES in Galois/Counter Mode with a key of 16 or 32 bytes.
static inline EVP_CIPHER *_Nullable passkey_aes_gcm_fetch(size_t key_count) {
    switch (key_count) {
    case 16: return EVP_CIPHER_fetch(NULL, "AES-128-GCM", NULL);
    case 32: return EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
    default: return NULL;
    }
}

/// AES-256 in CBC mode, or nothing.
static inline EVP_CIPHER *_Nullable passkey_aes_cbc_fetch(void) { return EVP_CIPHER_fetch(NULL, "AES-256-CBC", NULL); }

/// Whether an error of the queue says that memory ran out.
static inline int passkey_error_is_allocation(unsigned long code) {
    return ERR_GET_REASON(code) == ERR_R_MALLOC_FAILURE;
}

// MARK: Certificates

/// Frees what libcrypto allocated.
static inline void passkey_free(void *_Nullable memory) { OPENSSL_free(memory); }

/// A moment in seconds since 1970.
///
/// - Returns: 1, or 0 for what is no moment.
static inline int passkey_time_seconds(const ASN1_TIME *_Nullable time, int64_t *_Nonnull seconds) {
    int days = 0, rest = 0;
    ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
    int ok = time != NULL && epoch != NULL && ASN1_TIME_diff(&days, &rest, epoch, time) == 1;
    ASN1_TIME_free(epoch);
    *seconds = (int64_t)days * 86400 + rest;
    return ok;
}

/// Whether a certificate has Basic Constraints, and whether they say that it is an authority's.
///
/// libcrypto reads all extensions that it knows now, under a lock of its own, and keeps what they say in the
/// certificate: nothing is written to it later.
static inline int passkey_certificate_basic_constraints(X509 *_Nonnull certificate, int *_Nonnull is_ca,
                                                        int64_t *_Nonnull path_length) {
    uint32_t flags = X509_get_extension_flags(certificate);
    *is_ca = (flags & EXFLAG_CA) != 0 && (flags & EXFLAG_BCONS) != 0;
    *path_length = X509_get_pathlen(certificate);
    return (flags & EXFLAG_BCONS) != 0;
}

static inline int passkey_purposes_count(const EXTENDED_KEY_USAGE *_Nonnull purposes) {
    return sk_ASN1_OBJECT_num(purposes);
}

/// A purpose, which the list keeps.
static inline const ASN1_OBJECT *_Nullable passkey_purposes_at(const EXTENDED_KEY_USAGE *_Nonnull purposes, int index) {
    return sk_ASN1_OBJECT_value(purposes, index);
}

static inline int passkey_names_count(const GENERAL_NAMES *_Nonnull names) { return sk_GENERAL_NAME_num(names); }

/// A name, which the list keeps.
static inline const GENERAL_NAME *_Nullable passkey_names_at(const GENERAL_NAMES *_Nonnull names, int index) {
    return sk_GENERAL_NAME_value(names, index);
}

/// Builds and verifies a path from `leaf` to one of `anchors` at `seconds` since 1970.
///
/// An anchor may be any certificate of the path, the leaf included. The path is written to `path`, without a reference
/// of its own: each certificate in it is one of those given.
///
/// - Returns: 1; 0 with `error` and `depth` if there is no such path; -1 if libcrypto failed.
static inline int passkey_path_verify(X509 *_Nonnull leaf, X509 *_Nonnull const *_Nonnull intermediates,
                                      size_t intermediate_count, X509 *_Nonnull const *_Nonnull anchors,
                                      size_t anchor_count, int64_t seconds, X509 *_Nullable *_Nonnull path,
                                      size_t capacity, size_t *_Nonnull path_count, int *_Nonnull error,
                                      int *_Nonnull depth) {
    int result = -1;
    *path_count = 0;
    *error = X509_V_ERR_UNSPECIFIED;
    *depth = 0;
    X509_STORE *store = X509_STORE_new();
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    STACK_OF(X509) *untrusted = sk_X509_new_null();
    if (store == NULL || context == NULL || untrusted == NULL)
        goto done;
    for (size_t i = 0; i < anchor_count; i++)
        if (X509_STORE_add_cert(store, anchors[i]) != 1)
            goto done;
    for (size_t i = 0; i < intermediate_count; i++)
        if (sk_X509_push(untrusted, intermediates[i]) <= 0)
            goto done;
    if (X509_STORE_CTX_init(context, store, leaf, untrusted) != 1)
        goto done;
    X509_VERIFY_PARAM *parameters = X509_STORE_CTX_get0_param(context);
    X509_VERIFY_PARAM_set_time(parameters, (time_t)seconds);
    if (X509_VERIFY_PARAM_set_flags(parameters, X509_V_FLAG_PARTIAL_CHAIN) != 1)
        goto done;
    result = X509_verify_cert(context);
    *error = X509_STORE_CTX_get_error(context);
    *depth = X509_STORE_CTX_get_error_depth(context);
    if (result == 1) {
        STACK_OF(X509) *chain = X509_STORE_CTX_get0_chain(context);
        int count = sk_X509_num(chain);
        for (int i = 0; i < count && (size_t)i < capacity; i++)
            path[(*path_count)++] = sk_X509_value(chain, i);
    } else if (result < 0 && *error != X509_V_ERR_OUT_OF_MEM && *error != X509_V_OK) {
        result = 0;
    }
done:
    sk_X509_free(untrusted);
    X509_STORE_CTX_free(context);
    X509_STORE_free(store);
    return result;
}

/// What a revocation list says of a certificate at `seconds` since 1970.
typedef enum __attribute__((enum_extensibility(closed))) passkey_revocation {
    /// The list is not its issuer's, not of that time, or has extensions that change its meaning.
    passkey_revocation_unknown,
    passkey_revocation_good,
    passkey_revocation_revoked,
} passkey_revocation;

static inline passkey_revocation passkey_revocation_status(X509_CRL *_Nonnull list, X509 *_Nonnull certificate,
                                                           X509 *_Nonnull issuer, int64_t seconds) {
    time_t moment = (time_t)seconds;
    EVP_PKEY *key = X509_get0_pubkey(issuer);
    if (key == NULL || X509_NAME_cmp(X509_CRL_get_issuer(list), X509_get_subject_name(issuer)) != 0 ||
        (X509_get_key_usage(issuer) & KU_CRL_SIGN) == 0 || X509_CRL_verify(list, key) != 1)
        return passkey_revocation_unknown;
    if (X509_cmp_time(X509_CRL_get0_lastUpdate(list), &moment) >= 0)
        return passkey_revocation_unknown;
    X509_REVOKED *entry = NULL;
    // 2 stands for an entry that takes a suspension back.
    if (X509_CRL_get0_by_cert(list, &entry, certificate) == 1)
        return passkey_revocation_revoked;
    const ASN1_TIME *next = X509_CRL_get0_nextUpdate(list);
    if (next == NULL || X509_cmp_time(next, &moment) <= 0 || X509_CRL_get_ext_by_critical(list, 1, -1) >= 0)
        return passkey_revocation_unknown;
    return passkey_revocation_good;
}
