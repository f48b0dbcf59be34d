import Foundation

/// Whether a value is of a class, as `SELF isKindOfClass: %@` asks.
enum ClassMembership {
    static func isMember(
        _ value: EvaluatedValue, of type: EvaluatedValue, orOfSubclass: Bool, _ selector: Selector
    ) throws -> Bool {
        guard case .object(let wanted) = type, let wanted = wanted as? AnyClass else {
            throw EvaluationError.unknownComparison(selector)
        }
        switch value {
        case .null, .collection: return false
        // Values have the class that they are bridged to, of which a program knows the public one alone.
        case .number: return wanted == NSNumber.self || orOfSubclass && wanted == NSObject.self
        case .string: return wanted == NSString.self || orOfSubclass && wanted == NSObject.self
        case .date: return wanted == NSDate.self || orOfSubclass && wanted == NSObject.self
        case .data: return wanted == NSData.self || orOfSubclass && wanted == NSObject.self
        case .uuid: return wanted == NSUUID.self || orOfSubclass && wanted == NSObject.self
        case .object(let object):
            var mirror: Mirror? = Mirror(reflecting: object)
            while let type = mirror?.subjectType {
                if type == wanted { return true }
                guard orOfSubclass else { return false }
                mirror = mirror?.superclassMirror
            }
            return false
        }
    }
}
