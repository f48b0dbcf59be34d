extension Mirror {
    /// A mirror without children.
    ///
    /// What follows references by reflection, as `dump` does and as test runners do to print what an expectation was about, would
    /// otherwise go from one object through the whole graph and its model. Not for what is read by key-value coding, which finds stored
    /// properties so.
    package static func opaque(_ instance: some AnyObject) -> Mirror {
        Mirror(instance, children: EmptyCollection(), displayStyle: .class, ancestorRepresentation: .suppressed)
    }
}
