import CoreData
import Foundation

/// A model with what the others lack: three levels of inheritance, one-to-ones, chains of to-ones, transformables, an
/// ordered many-to-many, and a relationship that is its own inverse.
package enum CompanyModel {
    package static func make() -> NSManagedObjectModel {
        typealias Parts = ModelParts
        let person = Parts.entity("Person")
        let employee = Parts.entity("Employee")
        let manager = Parts.entity("Manager")
        let department = Parts.entity("Department")
        let site = Parts.entity("Site")
        let badge = Parts.entity("Badge")
        person.subentities = [employee]
        employee.subentities = [manager]
        let tags = Parts.attribute("tags", .transformableAttributeType)
        tags.valueTransformerName = "NSSecureUnarchiveFromData"
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.isOptional = true
        place.elements = [
            Parts.attribute("floor", .integer16AttributeType), Parts.attribute("room", .stringAttributeType),
        ]
        let (staff, workplace) = Parts.pair(
            "staff", many: true, from: department, "department", many: false, from: employee)
        let (lead, leads) = Parts.pair("lead", many: false, from: department, "leads", many: true, from: manager)
        let (departments, home) = Parts.pair(
            "departments", many: true, from: site, "site", many: false, from: department)
        let (mark, owner) = Parts.pair("badge", many: false, from: employee, "owner", many: false, from: badge)
        let (parent, parts) = Parts.pair("parent", many: false, from: department, "parts", many: true, from: department)
        let (helps, helpers) = Parts.pair("helps", many: true, from: employee, "helpers", many: true, from: department)
        helpers.isOrdered = true
        let friends = Parts.relationship("friends", many: true, to: person)
        friends.inverseRelationship = friends
        person.properties = [
            Parts.attribute("name", .stringAttributeType), Parts.attribute("born", .dateAttributeType), friends,
        ]
        employee.properties = [
            Parts.attribute("salary", .decimalAttributeType), Parts.attribute("level", .integer16AttributeType), tags,
            place,
            workplace, mark, helps,
        ]
        manager.properties = [Parts.attribute("budget", .doubleAttributeType), leads]
        department.properties = [
            Parts.attribute("name", .stringAttributeType), Parts.attribute("code", .UUIDAttributeType),
            Parts.attribute("isOpen", .booleanAttributeType), staff, lead, home, parent, parts, helpers,
        ]
        site.properties = [
            Parts.attribute("city", .stringAttributeType), Parts.attribute("page", .URIAttributeType), departments,
        ]
        badge.properties = [
            Parts.attribute("number", .integer64AttributeType), Parts.attribute("photo", .binaryDataAttributeType),
            Parts.attribute("weight", .floatAttributeType), owner,
        ]
        let model = NSManagedObjectModel()
        model.entities = [person, employee, manager, department, site, badge]
        return model
    }
}
