extension FormatTable {
    /// Arithmetic.
    static let arithmetic = #"""
        pages + 1 == 475 │ = │ 1
        pages - 74 == 400 │ = │ 1
        pages * 2 > 1000 │ = │ 3 5
        pages / 2 == 237 │ = │ 1
        pages / 2 > 600 │ = │ 5
        copies * pages > 1000 │ = │ 1 3 5
        price * copies > 20 │ = │ 1 3 5
        price * 2 == 15 │ = │ 2
        rating * 2 == 8.4 │ = │ 2
        pages / copies > 300 │ = │ 3 6
        2 ** 3 == 8 │ = │ all
        2 ** 3 ** 2 == 64 │ = │ all
        1 + 2 * 3 == 7 │ = │ all
        (1 + 2) * 3 == 9 │ = │ all
        10 - 4 - 3 == 3 │ = │ all
        10 - (4 - 3) == 9 │ = │ all
        2 * 3 + 4 == 10 │ = │ all
        2 + 3 * 4 - 5 == 9 │ = │ all
        8 / 4 / 2 == 1 │ = │ all
        8 / (4 / 2) == 4 │ = │ all
        7 / 2 == 3 │ = │ all
        7.0 / 2 == 3.5 │ 7 / 2 == 3.5 │ all
        -pages == -96 │ 0 - pages == -96 │ 4
        -(pages + 4) == -100 │ 0 - (pages + 4) == -100 │ 4
        - -5 == 5 │ 0 - -5 == 5 │ all
        1 - -1 == 2 │ = │ all
        1 / 0 == nil │ = │ all
        copies + copies == 2 * copies │ = │ all
        pages + nil == nil │ = │ all
        published + 86400 > published │ = │ 1 2 3 4 5 6 8
        published - published == 0 │ = │ 1 2 3 4 5 6 8
        published - 86400 < published │ = │ 1 2 3 4 5 6 8
        copies + 1 BETWEEN {1, 2} │ = │ 2 4 6 7
        title.length * 100 > pages │ = │ 2 3 4 5 6 8
        modulus:by:(pages, 2) == 0 │ = │ 1 4 6 8
        modulus:by:(7, 3) == 1 │ = │ all
        """#
}
