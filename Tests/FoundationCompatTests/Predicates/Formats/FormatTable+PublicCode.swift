extension FormatTable {
    /// From Apple's documentation and public code.
    static let publicCode = #"""
        title like 'Emma' │ title LIKE "Emma" │ 1
        author.name like "Jane*" │ author.name LIKE "Jane*" │ 1 2
        title contains[cd] "emm" │ title CONTAINS[cd] "emm" │ 1
        grade.length == nil OR size == nil │ grade.length == nil OR #size == nil │ error
        size == nil OR size.length == 0 │ #size == nil OR #size.length == 0 │ 2 3 4 5 6 7 8
        NOT (size == nil) │ NOT #size == nil │ 1
        (title beginswith 'E') AND (author.name like 'Jane Austen') │ title BEGINSWITH "E" AND author.name LIKE "Jane Austen" │ 1
        (title BEGINSWITH[cd] "e") AND (copies > 2) │ title BEGINSWITH[cd] "e" AND copies > 2 │ 1
        author.name matches 'Jane.*' │ author.name MATCHES "Jane.*" │ 1 2
        ALL loans.days > 12 │ = │ 1 3 4 6 7 8
        ANY loans.days > 12 │ = │ 1 4 5
        @sum.loans.days < 10 │ = │ 2 3 6 7 8
        loans.@sum.fee < 10 │ = │ all
        { 'comma', 'separated', 'literal', 'array' }[0] == 'comma' │ {"comma", "separated", "literal", "array"}[0] == "comma" │ all
        title = nil OR title.length > 4 │ title == nil OR title.length > 4 │ 2 3 4 5 6 7 8
        copies == 1 AND NOT (title IN {'Krakatit'}) │ copies == 1 AND (NOT title IN {"Krakatit"}) │ 2 7
        title != '' AND title != nil │ title != "" AND title != nil │ all
        ANY genres.name IN {'Drama', 'History'} │ ANY genres.name IN {"Drama", "History"} │ 4 5 8
        genres.@count > 0 AND ANY genres.name CONTAINS[cd] 'hist' │ genres.@count > 0 AND ANY genres.name CONTAINS[cd] "hist" │ 5 8
        SUBQUERY(loans, $loan, $loan.days < 15 AND $loan.fee == 0).@count >= 1 │ = │ 1 2 5
        SUBQUERY(genres, $g, $g.name IN {'Novel', 'Satire'}).@count == 2 │ SUBQUERY(genres, $g, $g.name IN {"Novel", "Satire"}).@count == 2 │ 1
        author.name ==[c] 'jane austen' OR author.name ==[c] 'leo tolstoy' │ author.name ==[c] "jane austen" OR author.name ==[c] "leo tolstoy" │ 1 2 5
        published >= CAST(-3155760000, "NSDate") AND published < CAST(0, "NSDate") │ published >= CAST(-3155760000.000000, "NSDate") AND published < CAST(0.000000, "NSDate") │ 4 6
        (published != nil) AND (published < now()) │ published != nil AND published < now() │ 1 2 3 4 5 6 8
        inPrint = YES AND loans.@count = 0 │ inPrint == 1 AND loans.@count == 0 │ 3 7
        (copies > 0) && !(inPrint == NO) │ copies > 0 AND (NOT inPrint == 0) │ 1 2 3 5 7
        title ==[c] "EMMA" || pages.intValue == 96 │ title ==[c] "EMMA" OR pages.intValue == 96 │ 1 4
        website != nil AND website.absoluteString BEGINSWITH 'https' │ website != nil AND website.absoluteString BEGINSWITH "https" │ 1
        rating == nil || rating < 3 │ rating == nil OR rating < 3 │ 4 7 8
        (rating BETWEEN {4, 5}) AND (pages BETWEEN {100, 500}) │ rating BETWEEN {4, 5} AND pages BETWEEN {100, 500} │ 1 2
        author.books.@count >= 2 && ANY author.books.title BEGINSWITH 'K' │ author.books.@count >= 2 AND ANY author.books.title BEGINSWITH "K" │ 4 6
        SELF.tags.@count > 1 AND SELF.inPrint == TRUE │ tags.@count > 1 AND inPrint == 1 │ 1 5
        NONE loans.member == 'Ann' │ NOT ANY loans.member == "Ann" │ 3 4 6 7 8
        ALL genres.name MATCHES '[A-Z][a-z]+' │ ALL genres.name MATCHES "[A-Z][a-z]+" │ all
        tags.@count != 0 AND NOT (ANY tags LIKE 'c*') │ tags.@count != 0 AND (NOT ANY tags LIKE "c*") │ 4 6 8
        title.length < 6 OR (title.length > 8 AND title CONTAINS ' ') │ title.length < 6 OR (title.length > 8 AND title CONTAINS " ") │ 1 5 7 8
        SUBQUERY(author.books, $b, $b.copies > 0 AND ANY $b.genres.name == 'Satire').@count > 0 │ SUBQUERY(author.books, $b, $b.copies > 0 AND ANY $b.genres.name == "Satire").@count > 0 │ 1 2
        """#
}
