extension FormatTable {
    /// Literals, spelling and layout.
    static let literals = #"""
        {1, 2, 3} == {1, 2, 3} │ = │ all
        {1, 2} == {2, 1} │ = │ none
        {} == {} │ = │ all
        {'a', "b"} != {"a", "c"} │ {"a", "b"} != {"a", "c"} │ all
        {nil} == {nil} │ = │ all
        {1, {2, 3}}[1] == {2, 3} │ = │ all
        'it\'s' == "it's" │ "it's" == "it's" │ all
        "say \"hi\"" == 'say "hi"' │ "say \"hi\"" == "say \"hi\"" │ all
        'back\\slash' == "back\\slash" │ "back\\slash" == "back\\slash" │ all
        'tab\tend' CONTAINS "\t" │ "tab\tend" CONTAINS "\t" │ all
        '\u00e9' == 'é' │ "é" == "é" │ all
        '\x41' == 'A' │ "A" == "A" │ all
        '' == "" │ "" == "" │ all
        title == "Straße *nach* Süden\n2" │ = │ 8
        '%@' == "%@" │ "%@" == "%@" │ all
        '$x' == "$x" │ "$x" == "$x" │ all
        "AND" == 'AND' │ "AND" == "AND" │ all
        title=='Emma' │ title == "Emma" │ 1
        title=='Emma'&&pages==474 │ title == "Emma" AND pages == 474 │ 1
        TITLE == 'Emma' OR FALSEPREDICATE │ TITLE == "Emma" OR FALSEPREDICATE │ error
        _private == nil OR TRUEPREDICATE │ = │ error
        größe == nil OR TRUEPREDICATE │ = │ error
        #and == nil OR TRUEPREDICATE │ = │ error
        #self == nil OR TRUEPREDICATE │ = │ all
        first == nil OR TRUEPREDICATE │ #first == nil OR TRUEPREDICATE │ error
        last == nil OR TRUEPREDICATE │ #last == nil OR TRUEPREDICATE │ error
        info.first == 'a' │ info.#first == "a" │ 1
        info.size == nil │ info.#size == nil │ all
        function == nil OR TRUEPREDICATE │ #function == nil OR TRUEPREDICATE │ error
        cast == nil OR TRUEPREDICATE │ #cast == nil OR TRUEPREDICATE │ error
        title isEqualToString: 'Emma' │ title isEqualToString: "Emma" │ 1
        title isCaseInsensitiveLike: 'E*' │ title isCaseInsensitiveLike: "E*" │ 1
        pages isGreaterThan: 1000 │ = │ 5
        title hasPrefix: 'P' │ title hasPrefix: "P" │ 2
        """#
}
