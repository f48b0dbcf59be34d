/// How a store is to be read: by which model, and in which state.
package struct ReadView {
    /// The state of a store that is read.
    package enum State {
        /// As it is now.
        case present
        /// As it was when the reader was pinned.
        case pinned(any StoreGeneration)
        /// Not at all: the store was added after the reader was pinned.
        case absent
    }

    package let model: ModelLayout
    package let state: State

    package init(model: ModelLayout, state: State = .present) {
        self.model = model
        self.state = state
    }
}
