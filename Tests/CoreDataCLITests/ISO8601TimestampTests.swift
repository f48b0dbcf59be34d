import Foundation
import Testing

@testable import CoreDataCLI

@Suite("Dates as text")
struct ISO8601TimestampTests {
    @Test(
        "a date has the text that ISO 8601 gives it",
        arguments: [
            (0, "2001-01-01T00:00:00.000Z"), (-1, "2000-12-31T23:59:59.000Z"), (0.25, "2001-01-01T00:00:00.250Z"),
            (732_931_200, "2024-03-24T00:00:00.000Z"), (-978_307_200, "1970-01-01T00:00:00.000Z"),
            (-63_113_904_000, "0001-01-01T00:00:00.000Z"), (123_456_789_012_345, "+3914190-11-26T23:25:45.000Z"),
            (-0.001, "2000-12-31T23:59:59.999Z"),
            (696_000_000.123456, "2023-01-21T13:20:00.123456Z"),
        ] as [(TimeInterval, String)])
    func known(interval: TimeInterval, text: String) {
        #expect(ISO8601Timestamp.string(from: Date(timeIntervalSinceReferenceDate: interval)) == text)
    }

    @Test("the text of a date reads back as the same date")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 20240531)
        for _ in 0..<5_000 {
            let magnitude = pow(10, Double.random(in: -3...11, using: &generator))
            let interval = Bool.random(using: &generator) ? magnitude : -magnitude
            let date = Date(timeIntervalSinceReferenceDate: interval)
            let text = ISO8601Timestamp.string(from: date)
            let read = try #require(ISO8601Timestamp.date(from: text), "\(text)")
            #expect(abs(read.timeIntervalSince(date)) < 1e-6, "\(text), seed \(generator.seed)")
        }
    }

    @Test(
        "forms with less or with a zone are read",
        arguments: [
            ("2024-05-31", 738_806_400), ("2024-05-31T16:00", 738_864_000), ("2024-05-31 16:00:00", 738_864_000),
            ("2024-05-31T16:00:00.5Z", 738_864_000.5), ("2024-05-31T18:00:00+02:00", 738_864_000),
            ("2024-05-31T09:00:00-0700", 738_864_000),
        ] as [(String, TimeInterval)])
    func forms(text: String, interval: TimeInterval) {
        #expect(ISO8601Timestamp.date(from: text)?.timeIntervalSinceReferenceDate == interval)
    }

    @Test(
        "what is no date is refused",
        arguments: [
            "", "today", "2024-13-01", "2024-00-10", "2023-02-29", "2024-05-31T24:00", "2024-05-31T10:60", "24-5-31",
        ])
    func refused(text: String) {
        #expect(ISO8601Timestamp.date(from: text) == nil)
    }

    @Test("dates beyond any calendar have a text all the same", arguments: [1e16, -1e300, .infinity, .nan])
    func extreme(interval: TimeInterval) {
        #expect(!ISO8601Timestamp.string(from: Date(timeIntervalSinceReferenceDate: interval)).isEmpty)
    }
}
