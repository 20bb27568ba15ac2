/// How this language differs from jq, for `plughost jq --help`.
package enum JQDifferences {
    /// A list for an 80-column terminal; the reference is the manual of jq 1.8.
    package static let text = """
        The language is jq 1.8's, with these differences:
        * Numbers keep the text they were written with until arithmetic touches them
          (1.10, 12345678901234567890, 1e400 pass through), and are compared, sorted
          and grouped by exact decimal value. Integers that fit in 64 bits are exact
          under + - * and exact division; all other arithmetic is IEEE double,
          as in jq.
        * Nothing reads the clock, the environment, files or further input: now, env,
          $ENV, input, inputs, debug, stderr, input_filename, input_line_number,
          localtime, strflocaltime, halt, import and include are errors when the
          program is compiled. Dates are UTC; strptime reads English names and
          ignores the zone it reads, as jq does.
        * Each evaluation of a program has one budget, whatever it calls: 10,000,000
          steps (regular expressions, sorting and copying count), 64 MiB held, 10 s of
          processor time. A program may be nested 100 deep. The result of a manifest's
          program may be nested 128 deep; what plughost jq reads and prints, 10,000.
          try cannot catch these errors. Inside a program values may be deeper; tojson,
          fromjson, ==, sort, contains, * and paths go 10,000 levels deep, as in jq.
        * Regular expressions are PCRE2's, not Oniguruma's; the flag l (longest) has
          no effect.
        * Objects keep the order in which their keys were inserted.
        * In an object construction a value may be any expression without a comma: {a:
          1 + 2}.
        * NaN is printed as null; infinities as the largest double. Both are read by
          fromjson and tonumber, but a document that contains them is not JSON.
        * reverse also reverses texts; from_entries takes numbers, null and
          booleans as keys, and k and v as names; toarray, ascii, leaf_paths, @base32d
          and pow10 also exist.
        * Modules, $__prog_args and get_search_list are absent.
        """
}
