import Foundation

/// What of a model's XML Xcode wouldn't write, and its compiler takes nevertheless: read as the compiler reads it, and told
/// to the model's author as a warning.
final class XMLReadingWarnings {
    private(set) var issues: [ModelIssue] = []
    private var entity: String?
    private var property: String?

    /// Says where the following matters are.
    func at<Value>(entity: String?, property: String? = nil, _ body: () throws -> Value) rethrows -> Value {
        let before = (self.entity, self.property)
        (self.entity, self.property) = (entity, property)
        defer { (self.entity, self.property) = before }
        return try body()
    }

    func warn(_ message: String, position: TextPosition? = nil) {
        issues.append(
            ModelIssue(severity: .warning, entity: entity, property: property, message: message, position: position))
    }

    /// The value of an attribute that is to be an integer; nil where there is none.
    func integer(_ name: String, of element: XMLTree) -> Int? {
        guard let text = element.nonEmpty(name) else { return nil }
        return integer(text, called: name)
    }

    /// The integer in a text, or what `NSString.integerValue` makes of it. Xcode's compiler does so: YES and NO, which
    /// some models have for numbers, are 1 and 0.
    func integer(_ text: String, called name: String) -> Int {
        if let integer = Int(text.trimmed) ?? Self.truth(text) { return integer }
        // Xcode once wrote "0.0" for integers; the compiled model has the whole part.
        if let number = Double(text.trimmed), let integer = Int(exactly: number.rounded(.towardZero)) { return integer }
        let integer = NSString(string: text).integerValue
        warn("the \(name) \"\(text)\" is no integer; \(integer) is taken")
        return integer
    }

    /// The number in a text, or what `NSString.doubleValue` makes of it.
    func number(_ text: String, called name: String) -> Double {
        if let number = Double(text.trimmed) ?? Self.truth(text).map(Double.init) { return number }
        let number = NSString(string: text).doubleValue
        warn("the \(name) \"\(text)\" is no number; \(number) is taken")
        return number
    }

    /// The decimal number in a text, or the one that it begins with.
    func decimal(_ text: String, called name: String) -> Decimal {
        let whole = NSString(string: text.trimmed)
        let parsed = Decimal(string: text.trimmed, locale: Locale(identifier: "en_US_POSIX"))
        if let parsed, Double(text.trimmed) != nil { return parsed }
        if let truth = Self.truth(text) { return Decimal(truth) }
        let number = parsed ?? Decimal(whole.doubleValue)
        warn("the \(name) \"\(text)\" is no number; \(number) is taken")
        return number
    }

    /// Whether a text means yes, as `NSString.boolValue` has it.
    func flag(_ text: String, called name: String) -> Bool {
        if let truth = Self.truth(text) ?? Int(text.trimmed) { return truth != 0 }
        let flag = NSString(string: text).boolValue
        if !["true", "false"].contains(text.trimmed.lowercased()) {
            warn("the \(name) \"\(text)\" is neither YES nor NO; \(flag ? "YES" : "NO") is taken")
        }
        return flag
    }

    private static func truth(_ text: String) -> Int? {
        switch text.trimmed {
        case "YES": 1
        case "NO": 0
        default: nil
        }
    }
}

extension XMLTree {
    /// The value of an attribute that says something.
    func nonEmpty(_ name: String) -> String? {
        self[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
