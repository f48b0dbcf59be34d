// Forms that Apple's compiler refuses are among these: `Int?`, `Bool?`, enums that aren't Objective-C's.
#if os(Linux)
    import CoreData
    import Journal

    // Managed object classes without a model file, in every form that `@NSManaged` takes.

    class Named<Value>: NSManagedObject {
        @NSManaged var common: String?
    }

    enum Forms {
        enum Kind: Int16 {
            case plain, fancy
        }

        enum Mood: String {
            case calm, wild
        }

        final class Everything: Named<Int> {
            @NSManaged var int16: Int16
            @NSManaged var optionalInt: Int?
            @NSManaged var int: Int
            @NSManaged var unsigned: UInt16
            @NSManaged var bool: Bool
            @NSManaged var optionalBool: Bool?
            @NSManaged var double: Double
            @NSManaged var optionalDouble: Double?
            @NSManaged var float: Float
            @NSManaged var string: String
            @NSManaged var optionalString: String?
            @NSManaged var foundationString: NSString?
            @NSManaged var date: Date
            @NSManaged var foundationDate: NSDate?
            @NSManaged var interval: TimeInterval
            @NSManaged var data: Data
            @NSManaged var foundationData: NSData?
            @NSManaged var uuid: UUID?
            @NSManaged var url: URL?
            @NSManaged var decimal: Decimal
            @NSManaged var optionalDecimal: Decimal?
            @NSManaged var decimalNumber: NSDecimalNumber?
            /// An integer in the store.
            @NSManaged var wholeNumber: NSDecimalNumber?
            @NSManaged var number: NSNumber?
            @NSManaged var kind: Kind
            @NSManaged var optionalKind: Kind?
            @NSManaged var mood: Mood?
            @NSManaged var counts: [String: Int]?
            @NSManaged var anything: Any?
            @NSManaged var größe: Int32
            @NSManaged private var secret: String?

            var revealed: String? {
                get { secret }
                set { secret = newValue }
            }
        }
    }

    extension Forms {
        class Part: NSManagedObject {
            @NSManaged var name: String!
            @NSManaged var setOwner: Everything?
            @NSManaged var orderedOwner: Everything?
        }
    }

    extension Forms.Everything {
        typealias Parts = Set<Forms.Part>

        @NSManaged var parts: Parts
        @NSManaged var more: NSSet?
        @NSManaged var others: Set<Forms.Part>?
        @NSManaged var ordered: NSOrderedSet
        @NSManaged fileprivate(set) var favourite: Forms.Part?

        @NSManaged func addToParts(_ values: Set<Forms.Part>)
        @NSManaged func removePartsObject(_ value: Forms.Part)
        @NSManaged func addToOrdered(_ values: NSOrderedSet)
        @NSManaged func insertIntoOrdered(_ values: [Forms.Part], at indexes: NSIndexSet)
        @NSManaged func replaceOrdered(at idx: Int, with value: Forms.Part)
        @NSManaged func replaceOrdered(at indexes: NSIndexSet, with values: [Forms.Part])
        @NSManaged func removeFromOrdered(at indexes: NSIndexSet)

        func favour(_ part: Forms.Part) { favourite = part }
    }

    /// A class that names one which the model of another module generates.
    final class Shelf: NSManagedObject {
        @NSManaged var label: String?
        @NSManaged var diary: Diary?
    }

    /// A class whose relationships are declared as if there were always a destination.
    final class Loan: NSManagedObject {
        @NSManaged var place: String
        @NSManaged var shelf: Shelf
        @NSManaged var next: Loan
    }

    private final class Hidden: NSManagedObject {
        @NSManaged var name: String?
        @NSManaged var next: Hidden?
    }

    /// What other files can see of a private class.
    func namesOfHiddenChain(in context: NSManagedObjectContext, entity: NSEntityDescription) -> [String?] {
        let first = Hidden(entity: entity, insertInto: context)
        let second = Hidden(entity: entity, insertInto: context)
        first.name = "first"
        second.name = "second"
        first.next = second
        return [first.name, first.next?.name, second.next?.name]
    }
#endif
