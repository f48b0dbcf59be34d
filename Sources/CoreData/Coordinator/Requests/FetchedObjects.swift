@_spi(Engine) import CoreDataRows

/// What a store answers a fetch for objects with.
enum FetchedObjects {
    /// The objects' rows, in order.
    case rows([RowPage])
    /// The objects themselves, in order, which the store got from the context.
    case objects([NSManagedObject])
}
