import Foundation

// Safe: numbers don't change.
/// Numbers that are asked for again and again, made once: on Linux each `NSNumber` is an object that has to be allocated. On Apple's
/// platforms small numbers are no objects at all.
struct SmallNumbers: @unchecked Sendable {
    static let yes = SmallNumbers([NSNumber(value: true)]).numbers[0]
    static let no = SmallNumbers([NSNumber(value: false)]).numbers[0]
    static let int16 = SmallNumbers(range.map { NSNumber(value: Int16($0)) })
    static let int32 = SmallNumbers(range.map { NSNumber(value: Int32($0)) })
    static let int64 = SmallNumbers(range.map { NSNumber(value: Int64($0)) })

    private static let range = -1...1022

    private let numbers: ContiguousArray<NSNumber>

    private init(_ numbers: [NSNumber]) { self.numbers = ContiguousArray(numbers) }

    /// The number of that value; nil for one that isn't small.
    @inline(__always)
    func number(_ value: Int64) -> NSNumber? {
        let place = value &- Int64(Self.range.lowerBound)
        return place >= 0 && place < numbers.count ? numbers[Int(place)] : nil
    }
}
