internal import PlugCore

/// Bars over time, drawn by the host as SVG, with the numbers as a table.
///
/// Screen readers read its title and summary; colours come from the style sheet, so that they follow light and dark mode.
struct BarChart: Sendable {
    /// One series, and the class of its colour.
    struct Series: Sendable {
        let name: String
        let style: String
    }

    /// The counts of one period, one for each series.
    struct Bar: Sendable {
        let label: HTML
        let counts: [Int]

        var sum: Int { counts.reduce(0, +) }
    }

    /// Its id on the page.
    let id: String
    /// Its title.
    let title: String
    /// The period that each bar covers, such as `hour`.
    let unit: String
    /// The series, from the bottom of a bar to its top.
    let series: [Series]
    /// The bars, the oldest first.
    let bars: [Bar]

    // In the units of the picture, which is stretched to the available width.
    private static let height = 1_000
    private static let width = 10
    private static let gap = 2

    private var highest: Int { bars.map(\.sum).max() ?? 0 }
    private func total(_ at: Int) -> Int { bars.reduce(0) { $0 + $1.counts[at] } }
    private var total: Int { bars.reduce(0) { $0 + $1.sum } }

    /// The picture with its title, its scale, its legend and its table.
    var html: HTML {
        if total == 0 { return "<h3>\(title)</h3><p class=\"quiet\">None in this time.</p>" }
        return """
            <figure class="chart">
            <figcaption>\(title)</figcaption>
            <svg role="img" aria-labelledby="\(id)-title \(id)-text" viewBox="0 0 \(bars.count * Self.width) \(Self.height)" \
            preserveAspectRatio="none"><title id="\(id)-title">\(title)</title><desc id="\(id)-text">\(summary)</desc>\
            \(pictures)</svg>
            <p class="scale"><span>\(bars.first?.label ?? "")</span><span>at most \(Words.number(highest))</span>\
            <span>\(bars.last?.label ?? "")</span></p>
            <p class="legend">\(legend)</p>
            <details><summary>Numbers</summary>\(table)</details>
            </figure>
            """
    }

    /// A summary in words.
    private var summary: String {
        let parts = series.indices.filter { total($0) > 0 }.map { "\(Words.number(total($0))) \(series[$0].name)" }
        return "\(Words.list(parts)). At most \(Words.number(highest)) in one \(unit)."
    }

    private var legend: HTML {
        series.enumerated().map { at, one -> HTML in
            "<span class=\"key \(one.style)\">\(one.name) \(Words.number(total(at)))</span>"
        }.joined(separator: " ")
    }

    private var pictures: HTML {
        series.indices.map { at -> HTML in
            let rects = bars.enumerated().map { place, bar -> HTML in rect(bar, at, place) }
            return "<g class=\"\(series[at].style)\">\(rects.joined())</g>"
        }.joined()
    }

    private func rect(_ bar: Bar, _ at: Int, _ place: Int) -> HTML {
        guard bar.counts[at] > 0 else { return "" }
        let below = bar.counts[..<at].reduce(0, +)
        let (bottom, top) = (scaled(below), scaled(below + bar.counts[at]))
        // A value above zero is visible, however small it is.
        let height = max(top - bottom, Self.height / 50)
        let y = max(0, Self.height - bottom - height)
        return """
            <rect x="\(place * Self.width + Self.gap / 2)" y="\(y)" width="\(Self.width - Self.gap)" height="\(height)"/>
            """
    }

    private func scaled(_ count: Int) -> Int { Int(Double(count) / Double(max(1, highest)) * Double(Self.height)) }

    private var table: HTML {
        let heads = series.map { one -> HTML in "<th scope=\"col\">\(one.name)</th>" }
        let rows = bars.map { bar -> HTML in
            let cells = bar.counts.map { count -> HTML in "<td>\(Words.number(count))</td>" }
            return "<tr><th scope=\"row\">\(bar.label)</th>\(cells.joined())</tr>"
        }
        return DataTable.html(title, head: "<th scope=\"col\">From</th>\(heads.joined())", rows)
    }
}
