/// Text in XML: what has a meaning there is written as an entity.
package enum XMLEscapes {
    /// - Parameter other: how a further character is written; nil for those that stand for themselves. Which have to be
    ///   written otherwise depends on the place: in attributes quotation marks and ends of lines, for example.
    package static func escaped(_ text: String, other: (Unicode.Scalar) -> String?) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default:
                if let written = other(scalar) {
                    result += written
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }
}
