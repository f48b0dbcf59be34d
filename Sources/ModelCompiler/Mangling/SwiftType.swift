/// A type of a property or parameter, as far as the mangler knows types.
indirect enum SwiftType: Hashable, Sendable {
    case nominal(NominalType)
    /// A generic type with its arguments. The types that it is nested in have none.
    case bound(NominalType, [SwiftType])
    case optional(SwiftType)
    /// A tuple without labels; the empty one is `Void`.
    case tuple([SwiftType])
    /// `Any`, or what conforms to all of some protocols, with the name of a superclass where there is one.
    case existential(protocols: [NominalType], superclass: NominalType?)
    case anyObject
    /// A generic parameter of the class that declares the member, by its place.
    case parameter(Int)

    static let void = SwiftType.tuple([])
    static let any = SwiftType.existential(protocols: [], superclass: nil)
}
