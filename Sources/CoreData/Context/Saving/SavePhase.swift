/// What a context is in the middle of.
enum SavePhase {
    case none
    /// Posting that it saves, where there is nothing to be saved.
    case nothing
    case changes
}
