/// Which elements of a list stay where they are among each other when some of them may have changed places.
enum StablePlaces {
    /// The places of a longest rising run of numbers, one run of many where there are several.
    ///
    /// What isn't in it has moved: the fewest that can be said to have. In n log n.
    static func longestRisingRun(_ numbers: [Int]) -> [Bool] {
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
