import Foundation

/// The processor time of the calling thread, which other work on the machine changes less than the clock on the wall.
enum ThreadTime {
    static var seconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
