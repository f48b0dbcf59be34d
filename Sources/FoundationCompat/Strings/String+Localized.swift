import Foundation

extension String {
    /// The text of a key in a bundle's tables, with the values of its interpolations in it.
    ///
    /// Foundation has this on Apple's platforms, but not on Linux. Where no table knows the key (string catalogues aren't
    /// compiled here), the text is the key's own, as it is there.
    ///
    /// - Parameters:
    ///   - keyAndValue: the text in the language of the source, which is the key.
    ///   - table: the name of the table; nil for "Localizable".
    ///   - bundle: where the tables are; nil for the main bundle.
    ///   - locale: how values are written.
    ///   - comment: for translators.
    public init(
        localized keyAndValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
        locale: Locale = .current, comment: StaticString? = nil
    ) {
        let format = (bundle ?? .main).localizedString(forKey: keyAndValue.key, value: keyAndValue.key, table: table)
        self = keyAndValue.text(format: format, locale: locale)
    }
}
