import CPasskeyOpenSSL

/// The search for the primes of an RSA key from given bytes, so that the same bytes give the same key.
///
/// libcrypto's own search takes its bytes from libcrypto's random source alone. The conditions are those of FIPS 186-5
/// appendix A.1.3 for 2048 bits; a prime is the first one above the number that was drawn.
enum RSAKeySearch {
    /// Gives as many bytes as it is asked for.
    typealias Source = (_ count: Int) throws(CryptoError) -> [UInt8]

    /// The public exponent, 2^16 + 1.
    static let exponent: [UInt8] = [1, 0, 1]

    /// The length of a prime in bits.
    private static let primeBits = 1024

    /// How often a prime is drawn anew before the source is given up.
    private static let greatestDrawCount = 4

    /// How many odd numbers are looked at above one draw: every hundred thousandth has no prime among so many.
    private static let greatestStepCount = 4096

    /// Two primes that make a key of 2048 bits.
    ///
    /// - Parameter source: Asked for 128 bytes at a time, once for each prime unless it repeats itself.
    /// - Returns: The primes.
    /// - Throws: `CryptoError` with `failed` if the source gives no primes that are fit.
    static func primes(drawing source: Source) throws(CryptoError) -> (p: [UInt8], q: [UInt8]) {
        try withCleanErrorQueue { () throws(CryptoError) in
            let p = try prime(bits: primeBits, drawing: source)
            for _ in 0..<greatestDrawCount {
                let q = try prime(bits: primeBits, drawing: source)
                if try areFit(p, q) { return (try p.bytes(), try q.bytes()) }
            }
            throw CryptoError(.failed, "the random source gives no two primes that are far apart")
        }
    }

    /// A prime p with its two highest bits set, so that the product of two has all its bits, and with p - 1 and e coprime.
    static func prime(bits: Int, drawing source: Source) throws(CryptoError) -> BigNumber {
        let count = (bits + 7) / 8
        let excess = CInt(8 * count - bits)
        for _ in 0..<greatestDrawCount {
            let candidate = try BigNumber(source(count))
            guard
                unsafe BN_rshift(candidate.pointer, candidate.pointer, excess) == 1,
                unsafe BN_set_bit(candidate.pointer, CInt(bits - 1)) == 1,
                unsafe BN_set_bit(candidate.pointer, CInt(bits - 2)) == 1,
                unsafe BN_set_bit(candidate.pointer, 0) == 1
            else { throw .takingQueue(.failed, "BN_set_bit") }
            if try advanceToPrime(candidate), unsafe BN_num_bits(candidate.pointer) == CInt(bits) { return candidate }
        }
        throw CryptoError(.failed, "the random source gives no prime")
    }

    /// Counts an odd number up to the first prime that is fit; `false` if there is none near.
    private static func advanceToPrime(_ number: borrowing BigNumber) throws(CryptoError) -> Bool {
        guard let scratch = unsafe BN_CTX_new() else { throw .takingQueue(.failed, "BN_CTX_new") }
        defer { unsafe BN_CTX_free(scratch) }
        for _ in 0..<greatestStepCount {
            // 65537 is a prime itself: it divides p - 1 or has no factor in common with it.
            if unsafe BN_mod_word(number.pointer, 65537) != 1 {
                switch unsafe BN_check_prime(number.pointer, scratch, nil) {
                case 1: return true
                case 0: break
                default: throw .takingQueue(.failed, "BN_check_prime")
                }
            }
            guard unsafe BN_add_word(number.pointer, 2) == 1 else { throw .takingQueue(.failed, "BN_add_word") }
        }
        return false
    }

    /// Whether |p - q| > 2^(1024 - 100), and the private exponent d = e⁻¹ mod lcm(p - 1, q - 1) is above 2^1024.
    private static func areFit(_ p: borrowing BigNumber, _ q: borrowing BigNumber) throws(CryptoError) -> Bool {
        let distance = try BigNumber()
        guard unsafe BN_sub(distance.pointer, p.pointer, q.pointer) == 1 else { throw .takingQueue(.failed, "BN_sub") }
        guard unsafe BN_num_bits(distance.pointer) > CInt(primeBits - 100) else { return false }

        guard let scratch = unsafe BN_CTX_new() else { throw .takingQueue(.failed, "BN_CTX_new") }
        defer { unsafe BN_CTX_free(scratch) }
        let p1 = try BigNumber()
        let q1 = try BigNumber()
        let common = try BigNumber()
        let product = try BigNumber()
        let multiple = try BigNumber()
        let d = try BigNumber()
        let e = try BigNumber(exponent)
        guard
            unsafe BN_sub(p1.pointer, p.pointer, BN_value_one()) == 1,
            unsafe BN_sub(q1.pointer, q.pointer, BN_value_one()) == 1,
            unsafe BN_gcd(common.pointer, p1.pointer, q1.pointer, scratch) == 1,
            unsafe BN_mul(product.pointer, p1.pointer, q1.pointer, scratch) == 1,
            unsafe BN_div(multiple.pointer, nil, product.pointer, common.pointer, scratch) == 1,
            unsafe BN_mod_inverse(d.pointer, e.pointer, multiple.pointer, scratch) != nil
        else { throw .takingQueue(.failed, "BN_mod_inverse") }
        return unsafe BN_num_bits(d.pointer) > CInt(primeBits)
    }
}
