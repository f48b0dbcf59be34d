#if os(Linux)
    import CoreData
    import Journal
    import XCTest

    /// Classes without a model file: the plugin makes their bodies all the same.
    final class FormsTests: XCTestCase {
        private var folder: URL!
        private var model: NSManagedObjectModel!
        private var context: NSManagedObjectContext!

        override func setUpWithError() throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            model = Forms.model()
            try reopen()
        }

        override func tearDownWithError() throws {
            context = nil
            try FileManager.default.removeItem(at: folder)
        }

        private func reopen() throws {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.appendingPathComponent("Forms.sqlite"),
                options: nil)
            context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
        }

        private func saveAndRead() throws -> Forms.Everything {
            try context.save()
            try reopen()
            return try XCTUnwrap(context.fetch(NSFetchRequest<Forms.Everything>(entityName: "Everything")).first)
        }

        func testAttributesOfEveryFormKeepTheirValues() throws {
            let now = Date(timeIntervalSinceReferenceDate: 123_456.5)
            let uuid = UUID()
            let object = Forms.Everything(context: context)
            object.common = "common"
            object.int16 = -3
            object.optionalInt = 1 << 40
            object.int = -(1 << 40)
            object.unsigned = 65_535
            object.bool = true
            object.optionalBool = false
            object.double = 1.5
            object.optionalDouble = -2.25
            object.float = 0.1
            object.string = "text"
            object.optionalString = "more text"
            object.foundationString = "Foundation"
            object.date = now
            object.foundationDate = NSDate(timeIntervalSinceReferenceDate: 5)
            object.interval = 7.25
            object.data = Data([1])
            object.foundationData = NSData(data: Data([2]))
            object.uuid = uuid
            object.url = URL(string: "https://example.org")
            object.decimal = Decimal(string: "0.1")!
            object.optionalDecimal = 3
            object.decimalNumber = NSDecimalNumber(string: "4.5")
            object.wholeNumber = NSDecimalNumber(string: "6")
            object.number = 6
            object.kind = .fancy
            object.optionalKind = .plain
            object.mood = .wild
            object.counts = ["a": 1]
            object.anything = ["b"]
            object.größe = 8
            object.revealed = "secret"

            let found = try saveAndRead()
            XCTAssertEqual(found.common, "common")
            XCTAssertEqual(found.int16, -3)
            XCTAssertEqual(found.optionalInt, 1 << 40)
            XCTAssertEqual(found.int, -(1 << 40))
            XCTAssertEqual(found.unsigned, 65_535)
            XCTAssertEqual(found.bool, true)
            XCTAssertEqual(found.optionalBool, false)
            XCTAssertEqual(found.double, 1.5)
            XCTAssertEqual(found.optionalDouble, -2.25)
            XCTAssertEqual(found.float, 0.1)
            XCTAssertEqual(found.string, "text")
            XCTAssertEqual(found.optionalString, "more text")
            XCTAssertEqual(found.foundationString, "Foundation")
            XCTAssertEqual(found.date, now)
            XCTAssertEqual(found.foundationDate?.timeIntervalSinceReferenceDate, 5)
            XCTAssertEqual(found.interval, 7.25)
            XCTAssertEqual(found.data, Data([1]))
            XCTAssertEqual(found.foundationData, NSData(data: Data([2])))
            XCTAssertEqual(found.uuid, uuid)
            XCTAssertEqual(found.url, URL(string: "https://example.org"))
            XCTAssertEqual(found.decimal, Decimal(string: "0.1"))
            XCTAssertEqual(found.optionalDecimal, 3)
            XCTAssertEqual(found.decimalNumber, NSDecimalNumber(string: "4.5"))
            XCTAssertEqual(found.wholeNumber, 6)
            XCTAssertEqual(found.number, 6)
            XCTAssertEqual(found.kind, .fancy)
            XCTAssertEqual(found.optionalKind, .plain)
            XCTAssertEqual(found.mood, .wild)
            XCTAssertEqual(found.counts, ["a": 1])
            XCTAssertEqual(found.anything as? [String], ["b"])
            XCTAssertEqual(found.größe, 8)
            XCTAssertEqual(found.revealed, "secret")
        }

        func testAttributesWithoutAValueReadAsNilOrZero() throws {
            _ = Forms.Everything(context: context)
            let found = try saveAndRead()
            XCTAssertNil(found.optionalInt)
            XCTAssertNil(found.optionalBool)
            XCTAssertNil(found.optionalDouble)
            XCTAssertNil(found.foundationDate)
            XCTAssertNil(found.uuid)
            XCTAssertNil(found.optionalDecimal)
            XCTAssertNil(found.optionalKind)
            XCTAssertNil(found.counts)
            XCTAssertNil(found.favourite)
            XCTAssertEqual(found.int, 0)
            XCTAssertEqual(found.string, "")
            XCTAssertEqual(found.data, Data())
            XCTAssertEqual(found.decimal, 0)
            XCTAssertEqual(found.kind, .plain)
            XCTAssertEqual(found.parts, [])
            XCTAssertEqual(found.ordered.count, 0)
        }

        /// As nil does on Apple's platforms, where the program is handed nil all the same.
        func testAMissingDestinationThatIsDeclaredToBeThereReadsAsNothing() throws {
            let entity = try XCTUnwrap(model.entitiesByName["Loan"])
            let loan = Loan(entity: entity, insertInto: context)
            XCTAssertNil(loan.shelf.label)
            XCTAssertNil(loan.shelf.diary)
            XCTAssertEqual(loan.next.next.place, "")
            loan.next.place = "nowhere"
            XCTAssertEqual(loan.next.place, "")
            let other = Loan(entity: entity, insertInto: context)
            other.next = loan
            other.next = loan.next
            XCTAssertNil(other.value(forKey: "next"))
            try context.save()
            XCTAssertEqual(try context.count(for: NSFetchRequest<Loan>(entityName: "Loan")), 2)
            XCTAssertEqual(try context.count(for: NSFetchRequest<Shelf>(entityName: "Shelf")), 0)
        }

        func testARawValueOfNoCaseReadsAsTheFirstCase() {
            let object = Forms.Everything(context: context)
            object.setValue(99, forKey: "kind")
            object.setValue("sleepy", forKey: "mood")
            XCTAssertEqual(object.kind, .plain)
            XCTAssertNil(object.mood)
        }

        func testRelationshipsOfEveryFormKeepTheirMembers() throws {
            let object = Forms.Everything(context: context)
            let parts = (0..<5).map { number in
                let part = Forms.Part(context: context)
                part.name = "\(number)"
                return part
            }
            object.addToParts([parts[0], parts[1], parts[2]])
            object.removePartsObject(parts[1])
            object.more = NSSet(array: [parts[3]])
            object.others = [parts[3], parts[4]]
            object.favour(parts[4])
            object.addToOrdered(NSOrderedSet(array: [parts[0], parts[1]]))
            object.insertIntoOrdered([parts[2], parts[3]], at: NSIndexSet(indexesIn: NSRange(location: 1, length: 2)))
            object.replaceOrdered(at: 0, with: parts[4])
            XCTAssertEqual(object.ordered.array as? [Forms.Part], [4, 2, 3, 1].map { parts[$0] })
            object.replaceOrdered(at: NSIndexSet(index: 1), with: [parts[0]])
            object.removeFromOrdered(at: NSIndexSet(index: 2))
            XCTAssertEqual(parts[1].orderedOwner, object)
            XCTAssertNil(parts[3].orderedOwner)

            let found = try saveAndRead()
            XCTAssertEqual(Set(found.parts.map(\.name)), ["0", "2"])
            XCTAssertEqual((found.more?.allObjects as? [Forms.Part])?.map(\.name), ["3"])
            XCTAssertEqual(found.others.map { Set($0.map(\.name)) }, ["3", "4"])
            XCTAssertEqual((found.ordered.array as? [Forms.Part])?.map(\.name), ["4", "0", "1"])
            XCTAssertEqual(found.favourite?.name, "4")
            XCTAssertEqual(found.favourite?.orderedOwner, found)
        }

        func testMembersOfPrivateClassesWork() throws {
            let entity = try XCTUnwrap(model.entitiesByName["Hidden"])
            XCTAssertEqual(namesOfHiddenChain(in: context, entity: entity), ["first", "second", nil])
        }

        func testAMemberMayHaveAClassThatAnotherModuleGenerates() throws {
            let entity = try XCTUnwrap(model.entitiesByName["Shelf"])
            let shelf = Shelf(entity: entity, insertInto: context)
            let diary = Diary(context: context)
            diary.title = "Travels"
            shelf.diary = diary
            try context.save()
            try reopen()
            let found = try XCTUnwrap(context.fetch(NSFetchRequest<Shelf>(entityName: "Shelf")).first)
            XCTAssertEqual(found.diary?.title, "Travels")
        }

        /// As the porting tool writes `expectation(for:evaluatedWith:)`.
        func testExpectationsOfPredicatesAreMetByManagedObjects() {
            nonisolated(unsafe) let part = Forms.Part(context: context)
            let isReady = NSPredicate(format: "name == 'ready'")
            let becomesReady = expectation(for: isReady.foundationPredicate, evaluatedWith: part, handler: nil)
            DispatchQueue.main.async { part.name = "ready" }
            XCTAssertEqual(XCTWaiter().wait(for: [becomesReady], timeout: 30), .completed)
            let isNamed = XCTNSPredicateExpectation(
                predicate: NSPredicate(format: "name BEGINSWITH 'r'").foundationPredicate, object: part)
            XCTAssertEqual(XCTWaiter().wait(for: [isNamed], timeout: 30), .completed)
        }

        func testKeyPathsOfNestedAndInheritedPropertiesHaveNames() {
            XCTAssertEqual(NSSortDescriptor(keyPath: \Forms.Everything.int16, ascending: true).key, "int16")
            XCTAssertEqual(NSExpression(forKeyPath: \Forms.Part.setOwner).keyPath, "setOwner")
        }
    }
#endif
