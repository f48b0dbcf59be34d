import CoreData

/// A class whose name a class of the tests has too.
public class Twin: NSManagedObject {}
