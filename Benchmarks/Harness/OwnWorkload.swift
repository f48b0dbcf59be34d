import Foundation

/// Work that only this package does.
protocol OwnWorkload: Workload {}

extension OwnWorkload {
    var sides: [Side] { [.coreData] }

    func plain(_ store: URL) throws -> Work { throw BenchmarkError("\(name) is this package's work only") }

    func records(_ store: URL) throws -> Work { throw BenchmarkError("\(name) is this package's work only") }
}
