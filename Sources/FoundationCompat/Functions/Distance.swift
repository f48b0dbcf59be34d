import Foundation

/// The distance between two places on Earth.
enum Distance {
    /// In metres along a great circle, between objects that have a latitude and a longitude in degrees, or a
    /// `coordinate` that has; nil where they haven't.
    static func metres(_ first: Any?, _ second: Any?) -> Double? {
        guard let first = coordinate(first), let second = coordinate(second) else { return nil }
        let earthRadius = 6_371_008.8
        let latitude = (second.latitude - first.latitude) / 2
        let longitude = (second.longitude - first.longitude) / 2
        let chord =
            sin(latitude) * sin(latitude)
            + cos(first.latitude) * cos(second.latitude) * sin(longitude) * sin(longitude)
        return 2 * earthRadius * asin(min(1, chord.squareRoot()))
    }

    /// In radians.
    private static func coordinate(_ value: Any?) -> (latitude: Double, longitude: Double)? {
        guard let value else { return nil }
        for prefix in [[], ["coordinate"]] {
            if let latitude = degrees(value, prefix + ["latitude"]),
                let longitude = degrees(value, prefix + ["longitude"])
            {
                return (latitude * .pi / 180, longitude * .pi / 180)
            }
        }
        return nil
    }

    private static func degrees(_ value: Any, _ keys: [String]) -> Double? {
        // A value without such a key is no place, and has no distance.
        NumericValue(try? KeyValueAccess.value(of: value, at: ParsedKeyPath(keys: keys), .throwing))?.doubleValue
    }
}
