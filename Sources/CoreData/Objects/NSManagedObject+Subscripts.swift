// An extension of a protocol, so that classes of the program's own may have such a subscript, as many a library's do: what a class
// inherits from another module it can't declare again.
extension NSFetchRequestResult where Self: NSManagedObject {
    /// The value of a property by its name, as key-value coding has it.
    public subscript(key: String) -> Any? {
        get { value(forKey: key) }
        set { setValue(newValue, forKey: key) }
    }
}
