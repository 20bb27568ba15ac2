/// How this language differs from jq, for `plughost jq --help`.
public enum JQDifferences {
    /// A list for a terminal of 80 columns; the norm is the manual of jq 1.7.
    public static let text = """
        The language is jq 1.7's, with these differences:
        * Numbers keep their digits until arithmetic touches them (1.10,
          12345678901234567890, 1e400 pass through), and are compared, sorted and
          grouped by exact decimal value. Integers that fit in 64 bits are exact under
          + - * and division without rest; all other arithmetic is IEEE double, as in
          jq.
        * Nothing reads the clock, the environment, files or further input: now, env,
          $ENV, input, inputs, debug, stderr, input_filename, input_line_number,
          localtime, halt, import and include are errors when the program is compiled.
          Dates are UTC; strptime reads English names and ignores the zone it reads,
          as jq does.
        * A program is bounded: 10,000,000 steps, 64 MiB held, values nested 1,000
          deep, source nested 200 deep. These errors cannot be caught by try.
        * Regular expressions are PCRE2's, not Oniguruma's, with limits on matching;
          the flag l (longest) has no effect.
        * Objects keep the order in which their keys were inserted.
        * In an object construction a value may be any expression without a comma: {a:
          1 + 2}.
        * NaN is printed as null; infinities as the largest double.
        * Modules, SQL-style operators other than INDEX and IN, and get_search_list
          are absent.
        """
}
