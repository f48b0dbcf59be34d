extension FormatTable {
    /// Variables.
    static let variables = #"""
        pages > $MIN │ = │ 1 3 5 6
        title == $NAME │ = │ 1
        title IN $LIST │ = │ 1 3
        author == $AUTHOR │ = │ 1 2
        $AUTHOR.name == author.name │ = │ 1 2
        $AUTHOR.books.@count == 2 │ = │ all
        pages BETWEEN {$MIN, $MIN + 100} │ = │ 6
        $x := 5 == 5 │ ($x := 5) == 5 │ all
        ($y := pages) > 400 │ = │ 1 3 5
        SELF IN $AUTHOR.books │ = │ 1 2
        $NAME == 'Emma' AND $MIN == 300 │ $NAME == "Emma" AND $MIN == 300 │ all
        """#
}
