extension FormatTable {
    /// Logic and precedence.
    static let logic = #"""
        TRUEPREDICATE │ = │ all
        FALSEPREDICATE │ = │ none
        truepredicate │ TRUEPREDICATE │ all
        NOT TRUEPREDICATE │ = │ none
        !FALSEPREDICATE │ NOT FALSEPREDICATE │ all
        pages > 300 AND inPrint == YES │ pages > 300 AND inPrint == 1 │ 1 3 5
        pages > 300 && inPrint == YES │ pages > 300 AND inPrint == 1 │ 1 3 5
        pages > 300 and inPrint == YES │ pages > 300 AND inPrint == 1 │ 1 3 5
        pages > 1000 OR copies == 0 │ = │ 4 5
        pages > 1000 || copies == 0 │ pages > 1000 OR copies == 0 │ 4 5
        pages > 1000 or copies == 0 │ pages > 1000 OR copies == 0 │ 4 5
        NOT pages > 300 │ = │ 2 4 7 8
        ! pages > 300 │ NOT pages > 300 │ 2 4 7 8
        !(pages > 300) │ NOT pages > 300 │ 2 4 7 8
        NOT (pages > 300) │ NOT pages > 300 │ 2 4 7 8
        NOT NOT pages > 300 │ NOT (NOT pages > 300) │ 1 3 5 6
        NOT pages > 300 AND inPrint == YES │ (NOT pages > 300) AND inPrint == 1 │ 2 7
        NOT (pages > 300 AND inPrint == YES) │ NOT (pages > 300 AND inPrint == 1) │ 2 4 6 7 8
        pages > 300 AND inPrint == YES OR copies == 0 │ (pages > 300 AND inPrint == 1) OR copies == 0 │ 1 3 4 5
        pages > 300 AND (inPrint == YES OR copies == 0) │ pages > 300 AND (inPrint == 1 OR copies == 0) │ 1 3 5
        (pages > 300 AND inPrint == YES) OR copies == 0 │ (pages > 300 AND inPrint == 1) OR copies == 0 │ 1 3 4 5
        copies == 0 OR pages > 300 AND inPrint == YES │ copies == 0 OR (pages > 300 AND inPrint == 1) │ 1 3 4 5
        copies == 1 AND inPrint == YES AND pages > 100 │ copies == 1 AND inPrint == 1 AND pages > 100 │ 2
        copies == 1 AND (inPrint == YES AND pages > 100) │ copies == 1 AND (inPrint == 1 AND pages > 100) │ 2
        (copies == 1 AND inPrint == YES) AND pages > 100 │ copies == 1 AND inPrint == 1 AND pages > 100 │ 2
        copies == 0 OR copies == 1 OR copies == 2 │ = │ 2 3 4 6 7
        copies == 0 OR (copies == 1 OR copies == 2) │ = │ 2 3 4 6 7
        (((pages > 300))) │ pages > 300 │ 1 3 5 6
        (pages) > (300) │ pages > 300 │ 1 3 5 6
        (pages > 300) AND (copies > 1) │ pages > 300 AND copies > 1 │ 1 3 5
        ((pages > 300) OR (copies > 1)) AND NOT (inPrint == NO) │ (pages > 300 OR copies > 1) AND (NOT inPrint == 0) │ 1 3 5
        pages > 300 AND NOT inPrint == YES │ pages > 300 AND (NOT inPrint == 1) │ 6
        pages > 300 AND !inPrint == YES │ pages > 300 AND (NOT inPrint == 1) │ 6
        TRUEPREDICATE AND FALSEPREDICATE │ = │ none
        TRUEPREDICATE OR FALSEPREDICATE │ = │ all
        inPrint == YES AND TRUEPREDICATE │ inPrint == 1 AND TRUEPREDICATE │ 1 2 3 5 7
        (title == 'Emma') OR (title == 'Villette' AND copies == 2) │ title == "Emma" OR (title == "Villette" AND copies == 2) │ 1 3
        pages>300&&copies>1 │ pages > 300 AND copies > 1 │ 1 3 5
        pages>300||copies>4 │ pages > 300 OR copies > 4 │ 1 3 5 6
        title=='Emma'OR title=='Villette' │ title == "Emma" OR title == "Villette" │ 1 3
        pages   >   300 │ pages > 300 │ 1 3 5 6
        """#
}
