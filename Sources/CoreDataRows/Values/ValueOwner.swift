/// Whose value it is, as far as errors have to say.
package protocol ValueOwner: AnyObject {
    /// What a reader of the error finds the object by.
    var nameInErrors: String { get }
}
