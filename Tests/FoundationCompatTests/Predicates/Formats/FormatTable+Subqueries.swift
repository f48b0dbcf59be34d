extension FormatTable {
    /// SUBQUERY and set operations.
    static let subqueries = #"""
        SUBQUERY(loans, $x, $x.days > 30).@count > 0 │ = │ 4 5
        SUBQUERY(loans, $x, $x.days > 30).@count == 2 │ = │ 5
        SUBQUERY(loans, $l, $l.member == 'Ann' AND $l.fee > 0).@count != 0 │ SUBQUERY(loans, $l, $l.member == "Ann" AND $l.fee > 0).@count != 0 │ 5
        subquery(genres, $g, $g.shelf > 1).@count == 1 │ SUBQUERY(genres, $g, $g.shelf > 1).@count == 1 │ 1 4 5 8
        SUBQUERY(genres, $g, $g.name BEGINSWITH 'N')[SIZE] == 1 │ SUBQUERY(genres, $g, $g.name BEGINSWITH "N")[SIZE] == 1 │ 1 2 3 5 6
        count(SUBQUERY(tags, $t, $t CONTAINS 'o')) == 1 │ count:(SUBQUERY(tags, $t, $t CONTAINS "o")) == 1 │ 1 4 5
        SUBQUERY(author.books, $b, SUBQUERY($b.genres, $g, $g.name == 'Satire').@count > 0).@count == 1 │ SUBQUERY(author.books, $b, SUBQUERY($b.genres, $g, $g.name == "Satire").@count > 0).@count == 1 │ 1 2 4 6
        SUBQUERY(tags, $t, $t == 'classic').@count == 1 AND inPrint == YES │ SUBQUERY(tags, $t, $t == "classic").@count == 1 AND inPrint == 1 │ 1 2 5
        SUBQUERY(loans, $x, $x.days > pages / 10).@count > 0 │ = │ 4
        NOT SUBQUERY(loans, $x, $x.days > 30).@count > 0 │ = │ 1 2 3 6 7 8
        ANY SUBQUERY(loans, $x, $x.days > 30).member == 'Bob' │ ANY SUBQUERY(loans, $x, $x.days > 30).member == "Bob" │ 5
        SUBQUERY(loans, $x, ANY {'Ann', 'Cid'} == $x.member).@count > 1 │ SUBQUERY(loans, $x, ANY {"Ann", "Cid"} == $x.member).@count > 1 │ 5
        (tags UNION {'extra'}).@count == 3 │ (tags UNION {"extra"}).@count == 3 │ 1 5 6 8
        (tags INTERSECT {'classic', 'long'}).@count == 2 │ (tags INTERSECT {"classic", "long"}).@count == 2 │ 5
        (tags MINUS {'classic'}).@count == 1 │ (tags MINUS {"classic"}).@count == 1 │ 1 4 5 7
        tags INTERSECT {'robots'} == {'robots'} │ tags INTERSECT {"robots"} == {"robots"} │ 4 6
        'extra' IN tags UNION {'extra'} AND copies > 3 │ "extra" IN tags UNION {"extra"} AND copies > 3 │ 5
        ({1, 2} UNION {2, 3}).@count == 3 │ = │ all
        ({1, 2, 3} MINUS {2}) == {1, 3} │ {1, 2, 3} MINUS {2} == {1, 3} │ all
        author.books MINUS author.books == CAST({}, 'NSSet') │ author.books MINUS author.books == CAST({}, "NSSet") │ all
        """#
}
