import SwiftSyntax

/// How far a declaration can be seen.
enum AccessLevel: Int, Comparable {
    case `private`, `fileprivate`, `internal`, package, `public`, open

    static func < (left: AccessLevel, right: AccessLevel) -> Bool { left.rawValue < right.rawValue }

    /// What the modifiers say, not counting those of setters.
    init?(_ modifiers: DeclModifierListSyntax) {
        for modifier in modifiers where modifier.detail == nil {
            switch modifier.name.tokenKind {
            case .keyword(.private): self = .private
            case .keyword(.fileprivate): self = .fileprivate
            case .keyword(.internal): self = .internal
            case .keyword(.package): self = .package
            case .keyword(.public): self = .public
            case .keyword(.open): self = .open
            default: continue
            }
            return
        }
        return nil
    }

    /// Whether other files can't see it.
    var isPrivate: Bool { self <= .fileprivate }
}
