/// A workload that can be done with more and with fewer objects, to see how its time grows with their number.
protocol SizedWorkload: Workload {
    /// How many objects the work is done with, or over how many.
    var count: Int { get set }
    /// The name on the command line, where the name of the workload tells a number of objects.
    var growthName: String { get }
    /// What the table of growth calls it: the title without a number of objects.
    var growthTitle: String { get }
    /// The most objects with which it takes less than a minute, and no more memory than a usual machine has to spare.
    var largestSize: Int { get }
    /// Whether it stands among the work that writes.
    var isWriting: Bool { get }
    /// How many objects the time is told for; not all, where the work is done with a fixed number out of the others.
    var objects: Int { get }
}

extension SizedWorkload {
    var growthName: String { name }
    var arguments: [String] { [growthName, "--count", String(count)] }
    var largestSize: Int { 1_000_000 }
    var isWriting: Bool { changesStore }
    var objects: Int { count }

    func sized(_ count: Int) -> Self {
        var workload = self
        workload.count = count
        return workload
    }
}

extension Workloads {
    /// Those that can be done with any number of objects, in order, each once.
    static var sized: [any SizedWorkload] {
        var names: Set<String> = []
        return all.compactMap { $0 as? any SizedWorkload }.filter { names.insert($0.growthName).inserted }
    }

    static func sized(_ name: String) throws -> any SizedWorkload {
        guard let workload = sized.first(where: { $0.growthName == name || $0.name == name }) else {
            throw BenchmarkError("there is no workload \"\(name)\" of any size; growth --list shows the names")
        }
        return workload
    }
}
