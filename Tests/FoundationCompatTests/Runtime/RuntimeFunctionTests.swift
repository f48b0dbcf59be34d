import Foundation
import FoundationCompat
import Testing

@Suite("Functions of Objective-C's runtime that programs call")
struct RuntimeFunctionTests {
    private final class Owner {}
    private final class Value {}

    @Test("A value is associated with one object and key, replaced and taken away")
    func associations() {
        let (first, second) = (Owner(), Owner())
        let keys = UnsafeMutablePointer<UInt8>.allocate(capacity: 2)
        defer { keys.deallocate() }
        objc_setAssociatedObject(first, keys, "a", .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
        objc_setAssociatedObject(first, keys + 1, 2, .OBJC_ASSOCIATION_COPY_NONATOMIC)
        #expect(objc_getAssociatedObject(first, keys) as? String == "a")
        #expect(objc_getAssociatedObject(first, keys + 1) as? Int == 2)
        #expect(objc_getAssociatedObject(second, keys) == nil)
        objc_setAssociatedObject(first, keys, nil, .OBJC_ASSOCIATION_RETAIN)
        #expect(objc_getAssociatedObject(first, keys) == nil)
        objc_removeAssociatedObjects(first)
        #expect(objc_getAssociatedObject(first, keys + 1) == nil)
    }

    @Test("The units of time that Dispatch has on Apple's platforms are there")
    func units() {
        #expect(NSEC_PER_SEC == 1000 * NSEC_PER_MSEC && NSEC_PER_MSEC == 1000 * NSEC_PER_USEC)
        #expect(USEC_PER_SEC == 1_000_000 && MSEC_PER_SEC == 1000)
    }

    @Test("What is assigned isn't kept alive, and what belongs to objects that went is let go")
    func lifetimes() {
        let key = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
        defer { key.deallocate() }
        let owner = Owner()
        objc_setAssociatedObject(owner, key, Value(), .OBJC_ASSOCIATION_ASSIGN)
        #expect(objc_getAssociatedObject(owner, key) == nil)
        objc_setAssociatedObject(owner, key, Owner.self, .OBJC_ASSOCIATION_ASSIGN)
        #expect(objc_getAssociatedObject(owner, key) as? Owner.Type == Owner.self)
        weak var kept: Value?
        do {
            let value = Value()
            kept = value
            objc_setAssociatedObject(Owner(), key, value, .OBJC_ASSOCIATION_RETAIN)
        }
        var others: [Owner] = []
        for _ in 0..<2_000 {
            let other = Owner()
            others.append(other)
            objc_setAssociatedObject(other, key, 1, .OBJC_ASSOCIATION_RETAIN)
        }
        #expect(kept == nil)
    }

    @Test("The lock of an object is taken by one thread at a time, as often as that likes")
    func locks() {
        let owner = Owner()
        nonisolated(unsafe) var count = 0
        nonisolated(unsafe) let shared = owner
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<500 {
                objc_sync_enter(shared)
                objc_sync_enter(shared)
                count += 1
                objc_sync_exit(shared)
                objc_sync_exit(shared)
            }
        }
        #expect(count == 4_000)
        #expect(objc_sync_exit(owner) == -1)
    }

    @Test("A class answers for itself what its objects answer")
    func classes() {
        #expect(NSDate.classForCoder() == NSDate.self)
    }

    @Test("A class names the one that it inherits from as a method, as on Apple's platforms, and as a property")
    func superclasses() {
        #expect(NSMutableArray.superclass() == NSArray.self)
        #expect(NSMutableArray.superclass == NSArray.self)
        #expect(NSObject.superclass() == nil)
    }
}
