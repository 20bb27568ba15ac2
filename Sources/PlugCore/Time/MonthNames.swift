/// The English names of the months, as formats spell them.
package enum MonthNames {
    /// `January` to `December`.
    package static let long = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// `Jan` to `Dec`.
    package static let short = long.map { String($0.prefix(3)) }
}
