/// What a ``LiveOrderedSet`` is a view of.
package protocol LiveOrderedSetSource {
    /// The elements as they are now.
    var elements: [Any] { get }

    /// Another one after every change of the elements, where the source counts them. A view reads the elements again only
    /// when it is another one.
    var revision: LiveOrderedSetRevision? { get }

    /// Makes the source have just these elements, in this order, each of them once.
    func replaceElements(with elements: [Any])

    /// Puts in one element that the source doesn't have, where it can do so without looking at the others.
    ///
    /// - Returns: false where it can't: then all elements are replaced.
    func insert(_ element: Any, at index: Int) -> Bool

    /// Takes out one element that the source has, on the same terms.
    func remove(_ element: Any) -> Bool

    /// Called when a view has put in or taken out one element, and has the elements as they are now.
    func didChange(through view: LiveOrderedSet)
}

extension LiveOrderedSetSource {
    package func didChange(through view: LiveOrderedSet) {}
}

/// Which state of its elements a source has.
package struct LiveOrderedSetRevision {
    /// What holds the elements.
    private let holder: AnyObject
    /// How often the holder's elements have changed.
    private let number: Int

    package init(of holder: AnyObject, number: Int) {
        self.holder = holder
        self.number = number
    }

    /// Whether nothing has changed in between, or just one element.
    func isSame(as other: Self) -> Bool { holder === other.holder && number == other.number }
    func isNext(after other: Self) -> Bool { holder === other.holder && number == other.number + 1 }
}
