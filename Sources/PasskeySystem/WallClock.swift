#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The time of day as the operating system has it.
package enum WallClock {
    /// Whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    package static func millisecondsSince1970() -> Int64 {
        var now = timespec()
        // It fails only for a clock that does not exist or a pointer outside the process.
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }
}
