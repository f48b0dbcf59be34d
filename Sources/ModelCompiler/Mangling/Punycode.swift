/// Encodes names outside of ASCII in the letters that symbols may have (RFC 3492, with Swift's alphabet).
enum Punycode {
    private static let base = 36
    private static let minimumThreshold = 1
    private static let maximumThreshold = 26
    private static let skew = 38
    private static let damping = 700
    private static let initialBias = 72
    private static let firstNonASCII: UInt32 = 128

    /// Encodes a name: what of it is ASCII, a "_", and where the other characters go in.
    ///
    /// ASCII characters that no symbol has, for instance in operators, count as outside of ASCII.
    static func encode(_ name: String) -> String {
        let scalars = name.unicodeScalars.map { scalar in
            isSymbolCharacter(scalar) || !scalar.isASCII ? scalar.value : scalar.value + 0xD800
        }
        var output = scalars.filter { $0 < firstNonASCII }.map { Character(Unicode.Scalar(UInt8($0))) }
        var handled = output.count
        if handled > 0 { output.append("_") }
        let basicCount = handled
        var current = firstNonASCII
        var delta = 0
        var bias = initialBias
        while handled < scalars.count {
            // The loop's condition leaves at least one scalar that has not been handled.
            let next = scalars.filter { $0 >= current }.min()!
            delta += Int(next - current) * (handled + 1)
            current = next
            for scalar in scalars {
                if scalar < current { delta += 1 }
                if scalar == current {
                    output += digits(of: delta, bias: bias)
                    bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
                    delta = 0
                    handled += 1
                }
            }
            delta += 1
            current += 1
        }
        return String(output)
    }

    private static func isSymbolCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
        default: false
        }
    }

    private static func digits(of delta: Int, bias: Int) -> [Character] {
        var result: [Character] = []
        var rest = delta
        var position = base
        while true {
            let threshold = min(max(position - bias, minimumThreshold), maximumThreshold)
            if rest < threshold { return result + [digit(rest)] }
            result.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            position += base
        }
    }

    /// Swift's digits: "a" to "z", then "A" to "J".
    private static func digit(_ value: Int) -> Character {
        let code = value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "A") + UInt8(value - 26)
        return Character(Unicode.Scalar(code))
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damping : delta / 2
        delta += delta / count
        var steps = 0
        while delta > (base - minimumThreshold) * maximumThreshold / 2 {
            delta /= base - minimumThreshold
            steps += base
        }
        return steps + (base - minimumThreshold + 1) * delta / (delta + skew)
    }
}
