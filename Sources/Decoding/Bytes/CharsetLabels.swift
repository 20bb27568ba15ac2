/// What names of encodings mean in practice: the labels of the WHATWG Encoding Standard where iconv understands a name
/// differently, and the wide encodings, for which iconv must be given the byte order.
enum CharsetLabels {
    /// How a name is decoded, and whether it leaves the byte order open; `nil` for names that iconv takes as they are.
    static func way(_ name: String) -> (way: Charset.Way, isOpen: Bool)? {
        if let wide = wide[name] { return (.iconv(wide.name, unit: wide.unit), wide.isOpen) }
        return names[name].map { ($0, false) }
    }

    private static let wide: [String: (name: String, unit: Int, isOpen: Bool)] = {
        var names: [String: (name: String, unit: Int, isOpen: Bool)] = [:]
        for name in ["utf-16", "utf16", "ucs-2", "ucs2", "iso-10646-ucs-2", "unicode", "csunicode"] {
            names[name] = ("UTF-16LE", 2, true)
        }
        for name in ["utf-16le", "utf16le", "ucs-2le", "ucs2le", "unicodelittle"] {
            names[name] = ("UTF-16LE", 2, false)
        }
        for name in ["utf-16be", "utf16be", "ucs-2be", "ucs2be", "unicodebig", "unicodefffe"] {
            names[name] = ("UTF-16BE", 2, false)
        }
        for name in ["utf-32", "utf32", "ucs-4", "ucs4", "iso-10646-ucs-4", "iso-10646"] {
            names[name] = ("UTF-32LE", 4, true)
        }
        for name in ["utf-32le", "utf32le", "ucs-4le", "ucs4le"] { names[name] = ("UTF-32LE", 4, false) }
        for name in ["utf-32be", "utf32be", "ucs-4be", "ucs4be"] { names[name] = ("UTF-32BE", 4, false) }
        return names
    }()

    private static let names: [String: Charset.Way] = {
        var names: [String: Charset.Way] = [:]
        for name in ["utf-8", "utf8", "unicode-1-1-utf-8", "x-unicode20utf8"] { names[name] = .utf8 }
        let latin = [
            "iso-8859-1", "iso8859-1", "iso_8859-1", "iso88591", "latin1", "latin-1", "l1", "us-ascii", "ascii",
            "ansi_x3.4-1968", "windows-1252", "windows1252", "cp1252", "x-cp1252", "ansi",
        ]
        for name in latin { names[name] = .windows1252 }
        func add(_ iconv: String, _ labels: [String]) { for label in labels { names[label] = .iconv(iconv, unit: 1) } }
        // Each with what Windows adds to the standard: nearly every file under these names has it.
        add("CP932", ["shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "ms932", "windows-31j", "csshiftjis"])
        add("EUC-JP-MS", ["euc-jp", "eucjp", "x-euc-jp", "cseucpkdfmtjapanese"])
        let chinese = [
            "gb2312", "gb_2312", "gb_2312-80", "gbk", "x-gbk", "chinese", "csgb2312", "iso-ir-58", "gb18030",
        ]
        add("GB18030", chinese)
        add(
            "CP949",
            ["euc-kr", "euckr", "ks_c_5601-1987", "ks_c_5601-1989", "ksc5601", "ksc_5601", "korean", "windows-949"]
        )
        add("BIG5-HKSCS", ["big5", "big5-hkscs", "cn-big5", "x-x-big5", "csbig5"])
        add("CP1254", ["iso-8859-9", "iso8859-9", "iso_8859-9", "latin5", "l5", "windows1254", "x-cp1254"])
        add("CP874", ["iso-8859-11", "iso8859-11", "tis-620", "dos-874", "windows-874", "windows874"])
        add("ISO-8859-8", ["iso-8859-8-i", "iso-8859-8-e", "logical", "visual", "hebrew"])
        add("MACINTOSH", ["macintosh", "mac", "x-mac-roman", "csmacintosh"])
        add("MAC-CYRILLIC", ["x-mac-cyrillic", "x-mac-ukrainian"])
        add("CP866", ["ibm866", "cp866", "866"])
        add("KOI8-R", ["koi8-r", "koi8", "koi", "koi8_r"])
        add("KOI8-U", ["koi8-u", "koi8-ru"])
        for page in [1250, 1251, 1253, 1255, 1256, 1257, 1258] {
            add("CP\(page)", ["windows-\(page)", "windows\(page)", "cp\(page)", "x-cp\(page)"])
        }
        return names
    }()
}
