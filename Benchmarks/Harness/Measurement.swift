import Foundation

/// Measures one workload on one side, in this process.
struct Measurement {
    let workload: any Workload
    let side: Side
    /// The store to begin with.
    let template: URL
    /// A folder of this process's own.
    let folder: URL

    /// Times the work, after one run to warm up.
    func times(repetitions: Int) throws -> Sample {
        var sample = Sample()
        for repetition in 0...repetitions {
            let store = try freshStore(repetition)
            let work = try workload.open(store, by: side)
            let processor = Self.processorSeconds()
            let start = ContinuousClock.now
            let result = try work()
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            if repetition > 0 {
                sample.seconds.append(seconds)
                sample.processorSeconds.append(Self.processorSeconds() - processor)
            }
            sample.checksum = try outcome(result, store: store)
        }
        return sample
    }

    /// Takes the processor time of work that may be too short for the clock: each sample is the mean of as many runs as take 20 ms
    /// together, over a store that was opened anew for each.
    ///
    /// The first sample isn't warmed up: of short work there are several, and of long work warming up is a small part.
    func longSamples() throws -> Sample {
        let (leastSeconds, mostRuns, mostSamples) = (0.02, 100, 5)
        let budget = Duration.seconds(1)
        var sample = Sample()
        let start = ContinuousClock.now
        var allRuns = 0
        repeat {
            var (seconds, runs) = (0.0, 0)
            repeat {
                seconds += try processorTime(of: allRuns, sample: &sample)
                runs += 1
                allRuns += 1
            } while seconds < leastSeconds && runs < mostRuns
            sample.processorSeconds.append(seconds / Double(runs))
        } while sample.processorSeconds.count < mostSamples && ContinuousClock.now - start < budget
        return sample
    }

    private func processorTime(of run: Int, sample: inout Sample) throws -> Double {
        let store = try freshStore(run)
        let work = try workload.open(store, by: side)
        let start = Self.processorSeconds()
        let result = try work()
        let seconds = Self.processorSeconds() - start
        if run == 0 { sample.checksum = try outcome(result, store: store) }
        return seconds
    }

    /// Runs the work once, not warmed up, and looks at memory and statements instead of the clock.
    func costs() throws -> Sample {
        var sample = Sample()
        StatementCounter.install()
        let store = try freshStore(0)
        let work = try workload.open(store, by: side)
        let statements = StatementCounter.count
        let resident = try ProcessMemory.resident
        try ProcessMemory.resetPeak()
        let result = try work()
        sample.peakMemory = max(0, try ProcessMemory.peak - resident)
        sample.statements = StatementCounter.count - statements
        sample.checksum = try outcome(result, store: store)
        return sample
    }

    /// Runs the work once, or only opens the store, and measures nothing: somebody outside of the process counts.
    func once(idle: Bool) throws -> Sample {
        let store = try freshStore(0)
        let work = try workload.open(store, by: side)
        return Sample(checksum: idle ? 0 : try work())
    }

    private func freshStore(_ repetition: Int) throws -> URL {
        guard workload.changesStore || repetition == 0 else { return storeURL(0) }
        let store = storeURL(repetition)
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store.path + suffix) }
        try FileManager.default.copyItem(at: template, to: store)
        return store
    }

    private func storeURL(_ repetition: Int) -> URL { folder.appendingPathComponent("\(repetition).sqlite") }

    private func outcome(_ result: Int64, store: URL) throws -> Int64 {
        guard let query = workload.outcome else { return result }
        return try result &+ PlainDatabase(store).integer(query)
    }

    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
