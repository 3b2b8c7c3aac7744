import PasskeyCrypto
import PasskeySystem

/// Random bytes that are the same in each run.
public enum SeededRandom {
    /// Makes a source whose bytes follow from a text and from how often it was asked.
    ///
    /// A source that several threads ask at once gives each of them what it would give the next one: the ceremonies of a
    /// test that is to be reproducible must follow one another.
    ///
    /// - Parameter seed: The text.
    /// - Returns: The source. The bytes are those of HKDF-SHA-256, with the number of the draw as its salt.
    public static func source(seed: String) -> VirtualRandomSource {
        let draws = Lock(UInt64(0))
        return { count in
            let draw = draws.withLock { draw in
                defer { draw &+= 1 }
                return draw
            }
            let salt = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: draw >> UInt64($0)) }
            // A source that cannot give what it is asked for gives nothing, which its caller refuses.
            return
                (try? HKDF.derive(
                    .sha256,
                    secret: [UInt8](seed.utf8),
                    salt: salt,
                    info: [UInt8]("PasskeyTesting".utf8),
                    count: count
                )) ?? []
        }
    }
}
