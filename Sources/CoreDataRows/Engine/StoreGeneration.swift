/// One state of a store, which can be read for as long as it is held on to, whatever others write.
package protocol StoreGeneration: AnyObject, Sendable {
    /// Lets go of the state. Reading from it fails then.
    func close()
}
