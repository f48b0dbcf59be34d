import Testing

@testable import Porting

@Suite("Porting casts between Objective-C's collections and Swift's")
struct BridgedCastTests {
    @Test(arguments: [PortingStyle.overlay, .portable])
    func `casts of what is declared as an NSSet may fail on Linux`(style: PortingStyle) {
        let ported = SourcePorter.port(
            """
            import CoreData
            class Owner: NSManagedObject {
                func add(_ objects: NSSet, names list: NSArray, text: String, other: Set<Owner>) {
                    pets.union(objects as Set<NSObject>)
                    use(list as [Any], list as NSArray, text as Any, other as Set<NSObject>, objects as! Set<Owner>)
                }
            }

            """, path: "Owner.swift", style: style, surroundings: .init()
        ).text
        #expect(ported.contains("pets.union(objects as! Set<NSObject>)"))
        #expect(
            ported.contains(
                "use(list as! [Any], list as NSArray, text as Any, other as Set<NSObject>, objects as! Set<Owner>)"))
    }

    @Test func `a name that is declared as something else, too, is left alone`() {
        let text = "import CoreData\nfunc a(_ x: NSSet) -> Any { x as Set<NSObject> }\nfunc b(_ x: Set<Int>) {}\n"
        #expect(SourcePorter.port(text, path: "A.swift", style: .overlay, surroundings: .init()).text == text)
    }

    @Test(arguments: [PortingStyle.overlay, .portable])
    func `a cast of a live set takes its members one by one`(style: PortingStyle) {
        let ported = SourcePorter.port(
            """
            import CoreData
            func count(_ owner: NSManagedObject) -> Int {
                let some = owner.mutableSetValue(forKey: "pets") as? Set<NSManagedObject> ?? []
                let all = owner.mutableSetValue(forKey: "pets") as! Set<NSObject>
                let primitive = owner.primitiveValue(forKey: "pets") as? Set<AnyHashable>
                let forced = (owner.primitiveValue(forKey: "pets") as! Set<NSManagedObject>).count
                return some.count + all.count + (primitive?.count ?? 0) + forced
            }

            """, path: "Owner.swift", style: style, surroundings: .init()
        ).text
        for line in [
            "let some = (owner.mutableSetValue(forKey: \"pets\").allObjects as? [NSManagedObject]).map(Set.init) ?? []",
            "let all = Set(owner.mutableSetValue(forKey: \"pets\").allObjects as! [NSObject])",
            "let primitive = ((owner.primitiveValue(forKey: \"pets\") as? NSSet)?.allObjects as? [AnyHashable]).map(Set.init)",
            "let forced = (Set((owner.primitiveValue(forKey: \"pets\") as! NSSet).allObjects as! [NSManagedObject])).count",
        ] {
            #expect(ported.contains(line), "\(line) in \(ported)")
        }
    }

    @Test(arguments: [PortingStyle.overlay, .portable])
    func `so does one of a live set that has got a name first`(style: PortingStyle) {
        let text = """
            import CoreData
            func members(_ owner: NSManagedObject) -> Set<AnyHashable>? {
                let set = owner.primitiveValue(forKey: "pets")
                if let set { print(set) }
                return set as? Set<AnyHashable>
            }
            func all(_ owner: NSManagedObject) -> Set<NSManagedObject> {
                let live = owner.mutableSetValue(forKey: "pets")
                return live as! Set<NSManagedObject>
            }

            """
        let ported = SourcePorter.port(text, path: "Owner.swift", style: style, surroundings: .init()).text
        #expect(ported.contains("return ((set as? NSSet)?.allObjects as? [AnyHashable]).map(Set.init)"), "\(ported)")
        #expect(ported.contains("return Set(live.allObjects as! [NSManagedObject])"), "\(ported)")
        let ambiguous = text + "func b(_ set: Any, _ live: Any) -> Bool { set as? Set<Int> == live as? Set<Int> }\n"
        #expect(SourcePorter.port(ambiguous, path: "A.swift", style: style, surroundings: .init()).text == ambiguous)
    }
}
