/// Runs a closure.
///
/// Objects on Linux live as long as they are used, so there is no pool; loops that are written for both platforms drain
/// one (Apple: "autoreleasepool(invoking:)").
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
