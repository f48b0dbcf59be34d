extension FormatTable {
    /// Indexes.
    static let indexes = #"""
        tags[0] == 'classic' │ tags[0] == "classic" │ 1 2 5
        tags[1] == 'romance' │ tags[1] == "romance" │ 1
        tags[FIRST] == 'classic' │ tags[FIRST] == "classic" │ 1 2 5
        tags[LAST] == 'classic' │ tags[LAST] == "classic" │ 2
        tags[last] == 'long' │ tags[LAST] == "long" │ 5
        tags[SIZE] == 2 │ = │ 1 5 6 8
        tags[SIZE] > 0 │ = │ 1 2 4 5 6 7 8
        tags[9] == nil │ = │ all
        loans[0].member == 'Ann' │ loans[0].member == "Ann" │ 1 2 5
        loans[LAST].days == 30 │ = │ 1
        loans[FIRST].fee == 0 AND loans[SIZE] > 1 │ = │ 1
        info['weight'] == 1.2 │ info["weight"] == 1.2 │ 5
        info["nested"].deep == 7 │ = │ 1
        info['nested']['deep'] == 7 │ info["nested"]["deep"] == 7 │ 1
        tags[copies - 3] == 'classic' │ tags[copies - 3] == "classic" │ 1
        {10, 20, 30}[1] == 20 │ = │ all
        {1, 2}[SIZE] == 2 │ = │ all
        """#
}
