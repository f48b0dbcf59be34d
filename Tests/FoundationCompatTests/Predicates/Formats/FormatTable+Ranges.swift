extension FormatTable {
    /// BETWEEN and IN.
    static let ranges = #"""
        pages BETWEEN {249, 474} │ = │ 1 2 6
        pages between { 249 , 474 } │ pages BETWEEN {249, 474} │ 1 2 6
        pages BETWEEN {474, 249} │ = │ none
        price BETWEEN {0, 7.5} │ = │ 2 4 7 8
        title BETWEEN {'E', 'L'} │ title BETWEEN {"E", "L"} │ 1 6
        title BETWEEN[c] {'e', 'l'} │ title BETWEEN[c] {"e", "l"} │ 1 6
        published BETWEEN {CAST(-6000000000, "NSDate"), CAST(-4000000000, "NSDate")} │ published BETWEEN {CAST(-6000000000.000000, "NSDate"), CAST(-4000000000.000000, "NSDate")} │ 1 2 3 5
        rating BETWEEN {3.5, 4.1} │ = │ 1 3 6
        NOT pages BETWEEN {249, 474} │ = │ 3 4 5 7 8
        1 BETWEEN { 0 , 33 } │ 1 BETWEEN {0, 33} │ all
        pages BETWEEN {copies, 300} │ = │ 2 4 8
        title IN {'Emma', 'Villette'} │ title IN {"Emma", "Villette"} │ 1 3
        title IN {'emma', 'villette'} │ title IN {"emma", "villette"} │ none
        title IN[c] {'emma', 'VILLETTE'} │ title IN[c] {"emma", "VILLETTE"} │ 1 3
        title IN[cd] {'ÉMMA'} │ title IN[cd] {"ÉMMA"} │ 1
        NOT title IN {'Emma', 'Villette'} │ NOT title IN {"Emma", "Villette"} │ 2 4 5 6 7 8
        NOT (title IN {'Emma', 'Villette'}) │ NOT title IN {"Emma", "Villette"} │ 2 4 5 6 7 8
        pages IN {474, 96.0, 8} │ pages IN {474, 96, 8} │ 1 4 8
        pages IN {} │ = │ none
        copies IN {0, -1, 5} │ = │ 4 5 8
        author.name IN {'Jane Austen'} │ author.name IN {"Jane Austen"} │ 1 2
        'classic' IN tags │ "classic" IN tags │ 1 2 5
        'CLASSIC' IN[c] tags │ "CLASSIC" IN[c] tags │ 1 2 5
        'ete' IN[cd] tags │ "ete" IN[cd] tags │ 8
        'robots' IN tags AND inPrint == NO │ "robots" IN tags AND inPrint == 0 │ 4 6
        title IN 'Emma and Villette' │ title IN "Emma and Villette" │ 1 3
        'mm' IN title │ "mm" IN title │ 1
        'MM' IN[c] title │ "MM" IN[c] title │ 1
        pages IN {nil} │ = │ 7
        price IN {9.99, 0.1} │ = │ 1 8
        title IN {"R.U.R.", size, 'Emma'} │ title IN {"R.U.R.", #size, "Emma"} │ 1 4
        identifier IN {CAST("00000000-0000-0000-0000-000000000001", "NSUUID")} │ = │ 1
        SELF IN author.books │ = │ 1 2 3 4 5 6
        inPrint IN {YES} │ inPrint IN {1} │ 1 2 3 5 7
        """#
}
