extension FormatTable {
    /// ANY, SOME, ALL, NONE.
    static let quantifiers = #"""
        ANY tags == 'classic' │ ANY tags == "classic" │ 1 2 5
        any tags == 'classic' │ ANY tags == "classic" │ 1 2 5
        SOME tags == 'classic' │ ANY tags == "classic" │ 1 2 5
        ALL tags == 'classic' │ ALL tags == "classic" │ 2 3
        NONE tags == 'classic' │ NOT ANY tags == "classic" │ 3 4 6 7 8
        NOT ANY tags == 'classic' │ NOT ANY tags == "classic" │ 3 4 6 7 8
        ANY tags BEGINSWITH 'c' │ ANY tags BEGINSWITH "c" │ 1 2 5 7
        ANY tags ==[c] 'BOMB' │ ANY tags ==[c] "BOMB" │ 6
        ANY tags ==[cd] 'ete' │ ANY tags ==[cd] "ete" │ 8
        ALL tags ==[cd] 'ete' │ ALL tags ==[cd] "ete" │ 3 8
        ANY tags IN {'long', 'Bomb'} │ ANY tags IN {"long", "Bomb"} │ 5 6
        ALL tags IN {'classic', 'romance'} │ ALL tags IN {"classic", "romance"} │ 1 2 3
        ANY genres.name == 'Novel' │ ANY genres.name == "Novel" │ 1 2 3 5 6
        ANY genres.name LIKE[c] 's*' │ ANY genres.name LIKE[c] "s*" │ 1 4
        ALL genres.name == 'Novel' │ ALL genres.name == "Novel" │ 2 3 6 7
        NONE genres.name == 'Novel' │ NOT ANY genres.name == "Novel" │ 4 7 8
        ANY genres.shelf == nil │ = │ 4
        ANY genres.shelf > 1 │ = │ 1 4 5 8
        ALL genres.shelf > 0 │ = │ 1 2 3 5 6 7 8
        ANY loans.days > 30 │ = │ 4 5
        ALL loans.days > 30 │ = │ 3 4 6 7 8
        NONE loans.days > 30 │ NOT ANY loans.days > 30 │ 1 2 3 6 7 8
        ANY loans.member == 'Bob' │ ANY loans.member == "Bob" │ 1 5
        ANY loans.member ==[cd] 'cenek' │ ANY loans.member ==[cd] "cenek" │ 4
        ANY loans.fee == 1.5 │ = │ 1
        ANY loans.days BETWEEN {10, 20} │ = │ 1 5
        SOME loans.fee > 2 │ ANY loans.fee > 2 │ 4 5
        ANY author.books.title == 'Emma' │ ANY author.books.title == "Emma" │ 1 2
        ANY author.books.genres.name == 'Drama' │ ANY author.books.genres.name == "Drama" │ 4 6
        ALL author.books.inPrint == YES │ ALL author.books.inPrint == 1 │ 1 2 3 5
        ANY loans.days == 14 AND ANY loans.days == 30 │ = │ 1
        (ANY loans.days == 14) AND (ANY loans.days == 45) │ ANY loans.days == 14 AND ANY loans.days == 45 │ none
        ANY genres != nil │ = │ 1 2 3 4 5 6 8
        ANY title == 'Emma' │ ANY title == "Emma" │ 1
        ANY tags CONTAINS 'as' │ ANY tags CONTAINS "as" │ 1 2 5
        ALL loans.fee == 0 │ = │ 2 3 6 7 8
        NOT (ALL loans.fee == 0) │ NOT ALL loans.fee == 0 │ 1 4 5
        ANY loans.member MATCHES '[A-B].*' │ ANY loans.member MATCHES "[A-B].*" │ 1 2 5
        """#
}
