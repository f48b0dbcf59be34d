import Foundation

/// Takes the arguments of a format out of a C argument list, whose layout is fixed by each platform's calling convention.
struct VariadicArguments {
    #if arch(x86_64)
        /// System V ABI, AMD64 supplement, 3.5.7.
        private struct List {
            var generalOffset: UInt32
            var floatOffset: UInt32
            var overflow: UnsafeRawPointer
            var saved: UnsafeRawPointer
        }

        private var list: List

        private init(_ pointer: CVaListPointer) {
            let address = unsafeBitCast(pointer, to: UnsafeRawPointer.self)
            list = address.load(as: List.self)
        }

        private mutating func word() -> Int {
            let generalRegistersEnd: UInt32 = 48
            guard list.generalOffset < generalRegistersEnd else { return overflowWord() }
            defer { list.generalOffset += 8 }
            return list.saved.load(fromByteOffset: Int(list.generalOffset), as: Int.self)
        }

        private mutating func real() -> Double {
            let floatRegistersEnd: UInt32 = 176
            guard list.floatOffset < floatRegistersEnd else {
                return Double(bitPattern: UInt64(bitPattern: Int64(overflowWord())))
            }
            defer { list.floatOffset += 16 }
            return list.saved.load(fromByteOffset: Int(list.floatOffset), as: Double.self)
        }

        private mutating func overflowWord() -> Int {
            defer { list.overflow += 8 }
            return list.overflow.load(as: Int.self)
        }
    #else
        /// Procedure Call Standard for the Arm 64-bit Architecture, appendix B.
        private struct List {
            var stack: UnsafeRawPointer
            var generalTop: UnsafeRawPointer
            var floatTop: UnsafeRawPointer
            var generalOffset: Int32
            var floatOffset: Int32
        }

        private var list: List

        private init(_ pointer: CVaListPointer) {
            list = unsafeBitCast(pointer, to: List.self)
        }

        private mutating func word() -> Int {
            guard list.generalOffset < 0 else { return stackWord() }
            defer { list.generalOffset += 8 }
            return list.generalTop.load(fromByteOffset: Int(list.generalOffset), as: Int.self)
        }

        private mutating func real() -> Double {
            guard list.floatOffset < 0 else { return Double(bitPattern: UInt64(bitPattern: Int64(stackWord()))) }
            defer { list.floatOffset += 16 }
            return list.floatTop.load(fromByteOffset: Int(list.floatOffset), as: Double.self)
        }

        private mutating func stackWord() -> Int {
            defer { list.stack += 8 }
            return list.stack.load(as: Int.self)
        }
    #endif

    /// The arguments for the placeholders of a format, in order. A list of other arguments than the format says is
    /// undefined behaviour, as with every function of C that takes one.
    static func values(for format: String, from pointer: CVaListPointer) -> [Any] {
        var arguments = VariadicArguments(pointer)
        var tokenizer = Tokenizer(format)
        var values: [Any] = []
        // A bad format is the parser's to complain about.
        while let token = try? tokenizer.next(), token != .end {
            if case .argument(let placeholder) = token {
                values.append(arguments.value(for: placeholder))
            }
        }
        return values
    }

    private mutating func value(for placeholder: ArgumentPlaceholder) -> Any {
        switch placeholder.kind {
        case .object, .keyPath: return object()
        case .cString:
            return UnsafePointer<CChar>(bitPattern: word()).map { String(cString: $0) as Any } ?? NSNull()
        case .character: return NSNumber(value: Int32(truncatingIfNeeded: word()))
        case .number: return number(placeholder.text)
        }
    }

    private mutating func object() -> Any {
        guard let pointer = UnsafeRawPointer(bitPattern: word()) else { return NSNull() }
        return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
    }

    private mutating func number(_ text: String) -> NSNumber {
        guard let conversion = text.last, !"fFgGeEaA".contains(conversion) else { return NSNumber(value: real()) }
        let isLong = text.contains { "lqjzt".contains($0) }
        let isUnsigned = "uUxXoO".contains(conversion)
        let word = word()
        switch (isLong, isUnsigned) {
        case (true, true): return NSNumber(value: UInt64(bitPattern: Int64(word)))
        case (true, false): return NSNumber(value: Int64(word))
        case (false, true): return NSNumber(value: UInt32(truncatingIfNeeded: word))
        case (false, false): return NSNumber(value: Int32(truncatingIfNeeded: word))
        }
    }
}

extension PredicateFactory where Self: NSPredicate {
    /// The predicate that a format string describes, with its arguments in a C argument list.
    ///
    /// A bad format stops the program and says where it went wrong; Apple raises an exception.
    public init(format predicateFormat: String, arguments argList: CVaListPointer) {
        self.init(
            format: predicateFormat,
            argumentArray: VariadicArguments.values(for: predicateFormat, from: argList))
    }
}

extension ExpressionFactory where Self: NSExpression {
    /// The expression that a format string describes, with its arguments in a C argument list.
    ///
    /// A bad format stops the program and says where it went wrong; Apple raises an exception.
    public init(format expressionFormat: String, arguments argList: CVaListPointer) {
        self.init(
            format: expressionFormat,
            argumentArray: VariadicArguments.values(for: expressionFormat, from: argList))
    }
}
