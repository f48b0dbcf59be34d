@_spi(Engine) import CoreDataRows

/// What has to be known of a store's tables where its rows are taken over into those of another model.
package protocol SQLMigratedSchema: SQLSchema {
    associatedtype Entity: SQLMigratedEntity

    /// By place in ``ModelLayout/entities``; nil for entities outside the store's configuration.
    var entities: [Entity?] { get }

    /// The column with the place of a row among those that lead to the same owner by a to-one; nil where these have no order.
    func orderColumn(beside toOne: PropertyLayout, of entity: Entity) -> String?
}

/// Where one entity lies in a store.
package protocol SQLMigratedEntity: AnyObject, Sendable {
    var layout: EntityLayout { get }
    var table: String { get }

    /// The column with the keys of a to-one; nil where no column holds it.
    func keyColumn(ofToOne property: PropertyLayout) -> String?
    /// The column with the number of a to-one's concrete destination entity; nil where there is none.
    func entityColumn(ofToOne property: PropertyLayout) -> String?
    /// Where a to-many is kept; nil where it isn't.
    func toMany(_ property: PropertyLayout) -> SQLToMany?
}
