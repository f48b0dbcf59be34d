/// One state of a store, which can be read until it is closed, whatever others write.
package protocol StoreGeneration: AnyObject, Sendable {
    /// Releases the state. Reading from it fails from then on.
    func close()
}
