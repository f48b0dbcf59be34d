/// The operators of Combine that OpenCombine lacks: those that join several publishers to one. A source that uses one of them has
/// them for itself, made of the operators that are there. It is no other's, as a target of tests that may look into another target
/// would see them twice.
enum CombineOperators {
    /// Whether a source that says these names uses one of them.
    static func areUsed(by names: Set<String>) -> Bool { !names.isDisjoint(with: uses) }

    /// `merge` is a method of dictionaries, too, to which what is added makes no difference.
    private static let uses: Set<String> = [
        "combineLatest", "CombineLatest", "CombineLatest3", "CombineLatest4", "merge", "MergeMany", "Merge", "Merge3",
        "Merge4",
    ]

    /// What is added at the end of the source. Apple has a type for each operator; here these are functions of the same names.
    static let text = """

        #if !canImport(Combine)
        extension OpenCombine.Publishers {
            fileprivate static func MergeMany<All: Swift.Sequence>(
                _ upstream: All
            ) -> OpenCombine.AnyPublisher<All.Element.Output, All.Element.Failure> where All.Element: OpenCombine.Publisher {
                OpenCombine.Publishers.Sequence<[All.Element], All.Element.Failure>(sequence: Array(upstream))
                    .flatMap { $0 }.eraseToAnyPublisher()
            }

            fileprivate static func MergeMany<Upstream: OpenCombine.Publisher>(
                _ upstream: Upstream...
            ) -> OpenCombine.AnyPublisher<Upstream.Output, Upstream.Failure> { MergeMany(upstream) }
        \(counts.map(mergeFunction).joined())\(counts.map(combineFunction).joined())}

        extension OpenCombine.Publisher {\(counts.map(mergeMethod).joined())\(counts.map(combineMethods).joined())}
        #endif

        """

    private static let counts = 2...4

    /// The types of the publishers that a function takes.
    private static func types(_ count: Int) -> [String] { "ABCD".prefix(count).map(String.init) }

    /// The same text for each of some names, in a list.
    private static func list(_ names: some Sequence<String>, _ text: (String) -> String = { $0 }) -> String {
        names.map(text).joined(separator: ", ")
    }

    private static func generic(_ types: some Sequence<String>) -> String {
        list(types) { "\($0): OpenCombine.Publisher" }
    }

    private static func parameters(_ types: some Sequence<String>, first: String = "_") -> String {
        let named = types.map { "\($0.lowercased()): \($0)" }
        return list(named.enumerated().map { "\($0.offset == 0 ? first : "_") \($0.element)" })
    }

    /// Apple's name of the operator for two publishers has no number.
    private static func number(_ count: Int) -> String { count == 2 ? "" : "\(count)" }

    private static func mergeFunction(_ count: Int) -> String {
        let types = types(count)
        let same = list(types.dropFirst()) { "\($0).Output == A.Output, \($0).Failure == A.Failure" }
        return """

                fileprivate static func Merge\(number(count))<\(generic(types))>(
                    \(parameters(types))
                ) -> OpenCombine.AnyPublisher<A.Output, A.Failure>
                where \(same) {
                    MergeMany([\(list(types) { "\($0.lowercased()).eraseToAnyPublisher()" })])
                }

            """
    }

    /// An optional for each publisher, of which each value sets one.
    private static func combineFunction(_ count: Int) -> String {
        let types = types(count)
        let output = "(\(list(types) { "\($0).Output" }))"
        let parts = "(\(list(types) { "\($0).Output?" }))"
        let indices = (0..<count).map(String.init)
        let sources = types.map { name in
            let values = list(types) { $0 == name ? ".some($0)" : "nil" }
            return "            \(name.lowercased()).map { (\(values)) as \(parts) }.eraseToAnyPublisher(),\n"
        }
        let values = list(zip(types, indices).map { "let \($0.lowercased()) = parts.\($1)" })
        return """

                fileprivate static func CombineLatest\(number(count))<\(generic(types))>(
                    \(parameters(types))
                ) -> OpenCombine.AnyPublisher<\(output), A.Failure>
                where \(list(types.dropFirst()) { "\($0).Failure == A.Failure" }) {
                    MergeMany([
            \(sources.joined())        ])
                    .scan((\(list(types) { _ in "nil" })) as \(parts)) { (\(list(indices) { "$1.\($0) ?? $0.\($0)" })) }
                    .compactMap { parts -> \(output)? in
                        guard \(values) else { return nil }
                        return (\(list(types) { $0.lowercased() }))
                    }
                    .eraseToAnyPublisher()
                }

            """
    }

    private static func mergeMethod(_ count: Int) -> String {
        let others = types(count).dropFirst()
        return """

                fileprivate func merge<\(generic(others))>(
                    \(parameters(others, first: "with"))
                ) -> OpenCombine.AnyPublisher<Output, Failure>
                where \(list(others) { "\($0).Output == Output, \($0).Failure == Failure" }) {
                    OpenCombine.Publishers.Merge\(number(count))(self, \(list(others) { $0.lowercased() }))
                }

            """
    }

    private static func combineMethods(_ count: Int) -> String {
        let others = types(count).dropFirst()
        let outputs = list(others) { "\($0).Output" }
        let same = list(others) { "\($0).Failure == Failure" }
        let call = "OpenCombine.Publishers.CombineLatest\(number(count))(self, \(list(others) { $0.lowercased() }))"
        return """

                fileprivate func combineLatest<\(generic(others))>(
                    \(parameters(others))
                ) -> OpenCombine.AnyPublisher<(Output, \(outputs)), Failure>
                where \(same) {
                    \(call)
                }

                fileprivate func combineLatest<\(generic(others)), Value>(
                    \(parameters(others)), _ transform: @escaping (Output, \(outputs)) -> Value
                ) -> OpenCombine.AnyPublisher<Value, Failure>
                where \(same) {
                    \(call).map { transform(\(list((0..<count).map { "$0.\($0)" }))) }.eraseToAnyPublisher()
                }

            """
    }
}
