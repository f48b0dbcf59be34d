import Foundation
import FoundationCompat
import Testing

@Suite("Timers that call a method of an object") struct TimerSelectorTests {
    private final class Clock: NSObject {
        var ticks = 0
        var timer: Timer?
        var most = Int.max

        func tick() { ticks += 1 }
        func tick(by timer: Timer) {
            ticks += 1
            self.timer = timer
            if ticks == most { timer.invalidate() }
        }
    }

    private static let plain = Selector(("tick"), calling: { (target: Clock, _: Any?) in target.tick() })
    private static let taking = Selector(
        ("tickBy:"), calling: { (target: Clock, argument: Any?) in target.tick(by: argument as! Timer) })

    /// Runs the loop of this thread until something is true, for a few seconds at most.
    private func run(until isDone: () -> Bool) {
        let end = Date(timeIntervalSinceNow: 5)
        while !isDone(), Date() < end {
            _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
        }
    }

    @Test("call it again and again until they are invalidated, and let the object go where its method does that")
    func repeating() {
        weak var gone: Clock?
        do {
            let clock = Clock()
            clock.most = 3
            gone = clock
            _ = Timer.scheduledTimer(
                timeInterval: 0.005, target: clock, selector: Self.taking, userInfo: nil, repeats: true)
            run { clock.ticks == 3 }
            #expect(clock.ticks == 3)
            clock.timer = nil
            _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
            #expect(clock.ticks == 3)
        }
        #expect(gone == nil)
    }

    @Test("hand the method the timer, and let the object go after the one call there is")
    func once() {
        weak var gone: Clock?
        var timer: Timer?
        do {
            let clock = Clock()
            gone = clock
            let made = Timer(timeInterval: 0.005, target: clock, selector: Self.taking, userInfo: nil, repeats: false)
            RunLoop.current.add(made, forMode: .default)
            timer = made
            run { clock.ticks == 1 }
            #expect(clock.ticks == 1 && clock.timer === made)
            clock.timer = nil
        }
        #expect(gone == nil)
        #expect(timer != nil)
    }

    @Test("begin at the date that they are given")
    func dates() {
        let clock = Clock()
        let timer = Timer(
            fireAt: Date(timeIntervalSinceNow: 0.01), interval: 60, target: clock, selector: Self.plain, userInfo: nil,
            repeats: true)
        RunLoop.current.add(timer, forMode: .default)
        run { clock.ticks > 0 }
        #expect(clock.ticks == 1)
        timer.invalidate()
    }
}
