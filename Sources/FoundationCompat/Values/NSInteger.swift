/// The name that Objective-C has for `Int`, which some programs write in Swift too.
public typealias NSInteger = Int
