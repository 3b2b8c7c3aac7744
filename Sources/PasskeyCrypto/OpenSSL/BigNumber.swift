import CPasskeyOpenSSL

/// The sole owner of a `BIGNUM`, which is wiped when the value ends.
@safe
struct BigNumber: ~Copyable {
    let pointer: OpaquePointer

    /// Zero.
    init() throws(CryptoError) {
        guard let number = unsafe BN_new() else { throw .takingQueue(.failed, "BN_new") }
        unsafe pointer = number
    }

    /// An unsigned number, the most significant byte first.
    init(_ bytes: [UInt8]) throws(CryptoError) {
        guard let length = CInt(exactly: bytes.count), let number = unsafe BN_bin2bn(bytes, length, nil) else {
            throw .takingQueue(.failed, "BN_bin2bn")
        }
        unsafe pointer = number
    }

    /// An unsigned number, the least significant byte first.
    init(littleEndian bytes: [UInt8]) throws(CryptoError) {
        guard let length = CInt(exactly: bytes.count), let number = unsafe BN_lebin2bn(bytes, length, nil) else {
            throw .takingQueue(.failed, "BN_lebin2bn")
        }
        unsafe pointer = number
    }

    /// Takes the ownership of a number that libcrypto allocated.
    init(adopting number: OpaquePointer) {
        unsafe pointer = number
    }

    deinit { unsafe BN_clear_free(pointer) }

    /// The number in bytes.
    ///
    /// - Parameter count: How many bytes; `nil` for as few as it has, which are none for zero.
    /// - Returns: The bytes, the most significant first.
    /// - Throws: `CryptoError` if it does not fit.
    func bytes(count: Int? = nil) throws(CryptoError) -> [UInt8] {
        let needed = unsafe (Int(BN_num_bits(pointer)) + 7) / 8
        var bytes = [UInt8](repeating: 0, count: count ?? needed)
        guard needed <= bytes.count, unsafe BN_bn2binpad(pointer, &bytes, CInt(bytes.count)) >= 0 else {
            throw .takingQueue(.failed, "BN_bn2binpad")
        }
        return bytes
    }

    /// Whether it is less than another number.
    func isLess(than other: borrowing BigNumber) -> Bool { unsafe BN_cmp(pointer, other.pointer) < 0 }

    /// Whether it is zero.
    var isZero: Bool { unsafe BN_is_zero(pointer) == 1 }

    /// Whether it is one.
    var isOne: Bool { unsafe BN_is_one(pointer) == 1 }
}

/// Scratch space for calculations, and the calculations modulo a number.
@safe
struct ModularArithmetic: ~Copyable {
    private let scratch: OpaquePointer
    let modulus: BigNumber

    init(modulo modulus: consuming BigNumber) throws(CryptoError) {
        guard let scratch = unsafe BN_CTX_new() else { throw .takingQueue(.failed, "BN_CTX_new") }
        unsafe self.scratch = unsafe scratch
        self.modulus = modulus
    }

    deinit { unsafe BN_CTX_free(scratch) }

    func sum(_ left: borrowing BigNumber, _ right: borrowing BigNumber) throws(CryptoError) -> BigNumber {
        let result = try BigNumber()
        guard unsafe BN_mod_add(result.pointer, left.pointer, right.pointer, modulus.pointer, scratch) == 1 else {
            throw .takingQueue(.failed, "BN_mod_add")
        }
        return result
    }

    func difference(_ left: borrowing BigNumber, _ right: borrowing BigNumber) throws(CryptoError) -> BigNumber {
        let result = try BigNumber()
        guard unsafe BN_mod_sub(result.pointer, left.pointer, right.pointer, modulus.pointer, scratch) == 1 else {
            throw .takingQueue(.failed, "BN_mod_sub")
        }
        return result
    }

    func product(_ left: borrowing BigNumber, _ right: borrowing BigNumber) throws(CryptoError) -> BigNumber {
        let result = try BigNumber()
        guard unsafe BN_mod_mul(result.pointer, left.pointer, right.pointer, modulus.pointer, scratch) == 1 else {
            throw .takingQueue(.failed, "BN_mod_mul")
        }
        return result
    }

    /// The remainder of a number of any size.
    func reduce(_ number: borrowing BigNumber) throws(CryptoError) -> BigNumber {
        let result = try BigNumber()
        guard unsafe BN_nnmod(result.pointer, number.pointer, modulus.pointer, scratch) == 1 else {
            throw .takingQueue(.failed, "BN_nnmod")
        }
        return result
    }

    /// The inverse by Fermat's theorem, in a time that does not depend on the number.
    ///
    /// The modulus must be an odd prime.
    func inverse(_ number: borrowing BigNumber) throws(CryptoError) -> BigNumber {
        let exponent = try BigNumber()
        let result = try BigNumber()
        guard
            unsafe BN_copy(exponent.pointer, modulus.pointer) != nil,
            unsafe BN_sub_word(exponent.pointer, 2) == 1,
            unsafe BN_mod_exp_mont_consttime(
                result.pointer,
                number.pointer,
                exponent.pointer,
                modulus.pointer,
                scratch,
                nil
            ) == 1
        else { throw .takingQueue(.failed, "BN_mod_exp_mont_consttime") }
        return result
    }

    /// Whether a number is a square other than zero.
    ///
    /// The modulus must be an odd prime.
    func isNonzeroSquare(_ number: borrowing BigNumber) throws(CryptoError) -> Bool {
        let symbol = unsafe BN_kronecker(number.pointer, modulus.pointer, scratch)
        guard symbol >= -1 else { throw .takingQueue(.failed, "BN_kronecker") }
        return symbol == 1
    }
}
