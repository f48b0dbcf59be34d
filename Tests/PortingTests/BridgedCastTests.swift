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
}
