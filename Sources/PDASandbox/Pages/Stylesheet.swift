/// The page's only style sheet.
enum Stylesheet {
    static let text = """
        :root {
          color-scheme: light dark;
          --ground: light-dark(#f6f6f4, #151617); --sheet: light-dark(#ffffff, #1d1f21);
          --ink: light-dark(#1c1d1f, #e8e8e6); --quiet: light-dark(#62666c, #9a9fa6);
          --line: light-dark(#e3e3df, #2e3134); --accent: light-dark(#0b63a5, #7cbcf0);
          --good: light-dark(#18703c, #6fd196); --warn: light-dark(#8a5a00, #e8b95a);
          --string: light-dark(#1b6b45, #8fd6ae); --number: light-dark(#8a3b12, #f0ad86);
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: anywhere;
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; }
        header, main { max-width: 64rem; margin: 0 auto; padding: 0 1.25rem; }
        header { display: flex; justify-content: space-between; align-items: flex-start; gap: 1rem; padding-top: 2rem; }
        header p { margin: 0; color: var(--quiet); }
        nav { display: flex; gap: .75rem; align-items: center; }
        h1 { font-size: 1.5rem; line-height: 1.2; margin: 0 0 .25rem; letter-spacing: -.01em; }
        h2 { font-size: 1rem; margin: 2.25rem 0 .75rem; }
        h2 a { font-weight: 400; margin-left: .5rem; }
        p { margin: .25rem 0; }
        a { color: var(--accent); text-decoration: none; }
        a:hover, a:focus-visible { text-decoration: underline; }
        code, pre, .id { font-family: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace; font-size: .875em; }
        .quiet { color: var(--quiet); font-size: .875rem; }
        .tiles { display: grid; grid-template-columns: repeat(3, 1fr); gap: 1rem; margin: 1.5rem 0 0; }
        .tiles div, .cards li, .records li, table, .narrow main { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; }
        .tiles div { padding: .875rem 1.125rem; }
        dt { color: var(--quiet); font-size: .875rem; }
        dd { margin: 0; font-size: 1.75rem; line-height: 1.2; font-variant-numeric: tabular-nums; letter-spacing: -.02em; }
        ul, ol { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem; }
        .cards { grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); }
        .cards li { padding: .875rem 1.125rem; }
        .cards div { display: flex; justify-content: space-between; align-items: baseline; gap: .75rem; }
        .state { font-size: .8125rem; white-space: nowrap; color: var(--quiet); }
        .state::before { content: ""; display: inline-block; width: .5rem; height: .5rem; border-radius: 50%;
          margin-right: .375rem; background: currentColor; }
        .good { color: var(--good); } .warn { color: var(--warn); }
        .scroll { overflow-x: auto; }
        table { width: 100%; border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums; }
        th, td { text-align: left; padding: .5rem 1.125rem; border-top: 1px solid var(--line); }
        thead th { border-top: 0; font-weight: 400; font-size: .875rem; color: var(--quiet); }
        th, td.number { white-space: nowrap; }
        td:first-child { min-width: 9rem; overflow-wrap: break-word; }
        .number { text-align: right; }
        td.quiet { white-space: nowrap; }
        tr.shown a { font-weight: 600; }
        meter { width: 6rem; height: .5rem; border: 0; border-radius: 4px; background: var(--line); vertical-align: middle; }
        meter::-webkit-meter-bar { background: var(--line); border: 0; border-radius: 4px; height: .5rem; }
        meter::-webkit-meter-optimum-value { background: var(--accent); border-radius: 4px; }
        meter::-moz-meter-bar { background: var(--accent); border-radius: 4px; }
        .records li { padding: .75rem 1.125rem; }
        .records p { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; }
        .records .id { margin-left: auto; opacity: .7; }
        pre { margin: .375rem 0 0; white-space: pre-wrap; line-height: 1.45; max-height: 26rem; overflow: auto; }
        pre b { font-weight: 400; color: var(--accent); }
        pre q { quotes: none; color: var(--string); }
        pre q::before, pre q::after { content: none; }
        pre u, pre i { text-decoration: none; font-style: normal; color: var(--number); }
        input, button { font: inherit; color: inherit; padding: .5rem .75rem; border-radius: 8px; border: 1px solid var(--line); background: var(--sheet); }
        button { cursor: pointer; }
        nav button { padding: .25rem .625rem; font-size: .875rem; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
        .narrow main { max-width: 26rem; margin: 12vh auto 0; padding: 2rem; }
        .narrow form { display: grid; gap: .5rem; margin-top: 1.25rem; }
        .narrow form button { background: var(--accent); border-color: transparent; color: var(--sheet); margin-top: .5rem; }
        .narrow h2 { margin: 1.25rem 0 .375rem; }
        .narrow form button.plain { background: var(--sheet); color: var(--accent); border-color: var(--line); margin-top: 0; }
        ul.plain { gap: .25rem; padding-left: 1.1rem; list-style: disc; }
        .pages { display: flex; justify-content: space-between; margin-top: .75rem; }
        .wrong { color: var(--warn); }
        main { padding-bottom: 4rem; }
        @media (max-width: 36rem) { th, td { padding: .5rem .75rem; } td.quiet { white-space: normal; } .tiles { gap: .5rem; } .tiles div { padding: .625rem .625rem; } dt { font-size: .8125rem; } dd { font-size: 1.375rem; }
          .records .id, th:nth-child(2), td:nth-child(2) { display: none; }
          header { flex-wrap: wrap; } .narrow main { margin: 0; border-width: 0 0 1px; border-radius: 0; padding: 1.5rem 1.25rem 2.5rem; max-width: none; } }

        """
}
