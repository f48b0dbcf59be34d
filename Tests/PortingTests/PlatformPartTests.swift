import Foundation
import Testing

@testable import Porting

@Suite("What a source uses beyond its imports") struct PlatformPartTests {
    private func port(_ text: String, _ style: PortingStyle) -> PortedSource {
        PortedSource(porting: text, path: "A.swift", style: style)
    }

    @Test("Core Foundation, which Foundation brings along on Apple's platforms alone, is imported on both")
    func coreFoundation() {
        let text = "import Foundation\nlet start = CFAbsoluteTimeGetCurrent()\n"
        #expect(port(text, .overlay).text.hasPrefix("import CoreFoundation; import Foundation\n"))
        let portable = port(text, .portable).text
        #expect(portable == "import CoreFoundation\n" + text)
        #expect(port(portable, .portable).text == portable)
        let keys = "import CoreData\nlet name = kCFBundleNameKey\n"
        #expect(port(keys, .overlay).text == keys)
    }

    @Test(
        "Foundation, which a framework of Apple's alone brings along, is imported",
        arguments: [
            "import UIKit\n", "import SwiftUI\n", "import AppKit\n", "import class UIKit.UIView\n",
            "#if canImport(UIKit)\nimport UIKit\n#elseif canImport(AppKit)\nimport AppKit\n#endif\n",
            "#if os(macOS)\nimport Foundation\n#else\nimport UIKit\n#endif\n",
        ])
    func foundationByFramework(_ imports: String) {
        let text = imports + "\nstruct Link {\n    let url: URL\n}\n"
        #expect(
            port(text, .overlay).text.contains("import Foundation;")
                || port(text, .overlay).text.hasPrefix("import Foundation\n"))
        let portable = port(text, .portable).text
        #expect(portable.contains("import Foundation\n"))
        #expect(port(portable, .portable).text == portable)
    }

    @Test(
        "Foundation isn't imported twice, nor where a framework brings none or nothing is left on Linux",
        arguments: [
            "import Foundation\nimport UIKit\nlet url: URL\n", "import CoreData\nimport UIKit\nlet url: URL\n",
            "import Darwin\nlet size = getpagesize()\n", "#if os(iOS)\nimport UIKit\nlet url: URL\n#endif\n",
            "struct Pair {}\n",
        ])
    func noFoundation(_ text: String) {
        for style in [PortingStyle.overlay, .portable] {
            let count = { (text: String) in text.components(separatedBy: "import Foundation").count }
            #expect(count(port(text, style).text) == count(text))
        }
    }

    @Test("The parser of XML and the nodes of documents are imported on Linux")
    func xml() {
        let text = "import Foundation\nfinal class Reader: NSObject, XMLParserDelegate {}\n"
        #expect(port(text, .overlay).text.hasPrefix("import FoundationXML; import Foundation\n"))
        let portable = port(text, .portable).text
        #expect(portable == "#if canImport(FoundationXML)\nimport FoundationXML\n#endif\n" + text)
        #expect(port(portable, .portable).text == portable)
    }

    @Test("A source all of whose imports depend on conditions imports it before them")
    func conditionalImports() {
        let imports = "#if compiler(>=6.2)\npublic import Foundation\n#else\nimport Foundation\n#endif\n"
        let text = imports + "\n/// When.\nlet start = CFAbsoluteTimeGetCurrent()\n"
        let head = "public import CoreFoundation\n#sourceLocation(file: \"A.swift\", line: 1)\n"
        #expect(port(text, .overlay).text == head + text)
        let portable = port(text, .portable).text
        #expect(portable == "public import CoreFoundation\n\n" + text)
        #expect(port(portable, .portable).text == portable)
    }

    @Test(
        "What CoreData has of Objective-C's runtime is imported where it is called",
        arguments: [
            "func f() { autoreleasepool { g() } }", "let a = objc_getAssociatedObject(self, &key)",
            "func f() { objc_sync_enter(self) }",
        ])
    func runtimeFunctions(_ line: String) {
        #expect(port("import Foundation\n\(line)\n", .overlay).text.hasPrefix("import CoreData; import Foundation\n"))
    }

    @Test("A timer with a selector gets one that brings its method along")
    func timers() {
        let text = """
            import Foundation
            class Cleaner: NSObject {
                func start() {
                    timer = Timer.scheduledTimer(timeInterval: 3, target: self, selector: #selector(clean),
                        userInfo: nil, repeats: true)
                    let other = Timer(timeInterval: 3, target: self, selector: #selector(tick(_:)), userInfo: nil, repeats: true)
                }
                @objc func clean() {}
                @objc func tick(_ timer: Timer) {}
            }

            """
        let overlaid = port(text, .overlay)
        #expect(overlaid.remarks.isEmpty)
        #expect(
            overlaid.text.contains(
                "selector: Selector((\"clean\"), calling: { (target: Cleaner, _: Any?) in target.clean() }),\n"))
        #expect(overlaid.text.contains("in target.tick(argument as! Timer) }), userInfo: nil"))
        let portable = port(text, .portable)
        #expect(portable.remarks.isEmpty)
        #expect(portable.text.contains("selector: #selector(clean),"))
        #expect(portable.text.contains("#else\n"))
        #expect(port(portable.text, .portable).text == portable.text)
    }

    @Test("A source that joins publishers has Combine's operators for itself, which OpenCombine lacks")
    func joinedPublishers() {
        let head = "import Combine\nvar all: Set<AnyCancellable> = []\n"
        for use in ["a.combineLatest(b).sink {}", "Publishers.Merge(a, b).sink {}", "a.merge(with: b, c).sink {}"] {
            let ported = port(head + use + "\n", .overlay)
            #expect(ported.remarks.isEmpty)
            #expect(ported.text.contains(use))
            #expect(ported.text.contains("fileprivate func combineLatest<B: OpenCombine.Publisher>("))
            #expect(ported.modules == [.combine])
        }
        #expect(!port(head, .overlay).text.contains("fileprivate"))
        let portable = port(head + "a.merge(with: b).sink {}\n", .portable).text
        #expect(portable.contains("#if !canImport(Combine)\nextension OpenCombine.Publishers {"))
        #expect(port(portable, .portable).text == portable)
    }

    @Test("A source that imports Combine for an operator alone gets OpenCombine")
    func operatorAlone() {
        #expect(port("import Combine\nlet c = a.combineLatest(b)\n", .overlay).modules == [.combine])
    }

    @Test("A file with the lock that Foundation brings along on Apple's platforms imports its stand-in")
    func unfairLock() {
        let text = "import Foundation\nvar lock = os_unfair_lock()\nfunc a() { os_unfair_lock_lock(&lock) }\n"
        let overlaid = port(text, .overlay)
        #expect(overlaid.text.hasPrefix("import UnifiedLogging; import Foundation\n"))
        #expect(overlaid.modules == [.os])
        let portable = port(text, .portable)
        #expect(
            portable.text.hasPrefix("#if canImport(UnifiedLogging)\nimport UnifiedLogging\n#endif\nimport Foundation\n")
        )
        let iterator = "import Foundation\nlet each = NSFastEnumerationIterator(list)\n"
        #expect(
            port(iterator, .overlay).text
                .hasPrefix("import CoreData; import Foundation\n"))
    }

    @Test("A file that uses what Foundation has of Combine gets OpenCombine, unless its target declares these types")
    func combineInFoundation() {
        let text = "import CoreData\nfinal class Stack: ObservableObject { @Published var count = 0 }\n"
        let overlaid = port(text, .overlay)
        #expect(
            overlaid.text.hasPrefix(
                "import OpenCombine; import OpenCombineDispatch; import OpenCombineFoundation; import CoreData\n"))
        #expect(overlaid.modules == [.combine])
        let portable = port(text, .portable).text
        #expect(portable.hasPrefix("#if !canImport(Combine)\nimport OpenCombine\nimport OpenCombineDispatch\n"))
        #expect(port(portable, .portable).text == portable)
        for other in [
            "import Foundation\nprotocol ObservableObject {}\nclass A: ObservableObject {}\n",
            "import Foundation\nenum State { case Published }\n",
            "import OpenCombine\nclass A: ObservableObject {}\n",
        ] { #expect(port(other, .overlay).modules.isEmpty) }
    }

    @Test(
        "A file that has Foundation from a framework under a condition gets what comes with Foundation, beside CoreData too"
    )
    func foundationUnderCondition() {
        let head = "#if canImport(UIKit)\nimport UIKit\n#endif\n"
        let loader = port(head + "final class Loader: NSManagedObject { let session = URLSession.shared }\n", .overlay)
            .text
        for module in ["CoreData", "FoundationNetworking"] { #expect(loader.contains("import \(module)"), "\(loader)") }
        #expect(port(head + "final class Model: ObservableObject {}\n", .overlay).modules == [.combine])
    }
}
