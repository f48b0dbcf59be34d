/// Finds which elements of a list keep their order when some may have moved: those of a longest rising run of old indexes.
enum LongestRisingRun {
    /// Whether each number belongs to a longest rising run; one run where there are several.
    ///
    /// The others have moved: no smaller set explains the new order. Takes n log n steps.
    static func members(of numbers: [Int]) -> [Bool] {
        /// For each length, the place at which a run of that length ends lowest.
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: numbers.count)
        for (place, number) in numbers.enumerated() {
            let length = partition(ends.count) { numbers[ends[$0]] < number }
            if length > 0 { before[place] = ends[length - 1] }
            if length == ends.count { ends.append(place) } else { ends[length] = place }
        }
        var isInRun = [Bool](repeating: false, count: numbers.count)
        var place = ends.last ?? -1
        while place >= 0 {
            isInRun[place] = true
            place = before[place]
        }
        return isInRun
    }
}
