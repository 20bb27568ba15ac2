/// The only style sheet of a host's pages, and its icon.
enum Stylesheet {
    static let path = "/assets/host.css"
    static let iconPath = "/assets/icon.svg"

    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#0b63a5" d="M5 1v4h6V1h2v4h1v3a6 6 0 0 1-5 \
        5.9V16H7v-2.1A6 6 0 0 1 2 8V5h1V1z"/></svg>
        """

    static let text = """
        :root {
          color-scheme: light dark;
          --ground: light-dark(#f6f6f4, #151617); --sheet: light-dark(#ffffff, #1d1f21);
          --ink: light-dark(#1c1d1f, #e8e8e6); --quiet: light-dark(#5a5e64, #a2a7ae);
          --line: light-dark(#dcdcd7, #34383c); --accent: light-dark(#0b63a5, #7cbcf0);
          --good: light-dark(#18703c, #6fd196); --warn: light-dark(#8a5a00, #e8b95a); --bad: light-dark(#a3261c, #f39a90);
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: anywhere;
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; }
        header, main { max-width: 46rem; margin: 0 auto; padding: 0 1.25rem; }
        header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .5rem 1rem;
          padding-top: 1.25rem; }
        header > a { font-weight: 600; color: var(--ink); }
        nav, nav form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin: 0; }
        main { padding-bottom: 4rem; }
        h1 { font-size: 1.5rem; line-height: 1.2; margin: 1.5rem 0 .75rem; letter-spacing: -.01em; }
        h2 { font-size: 1.0625rem; margin: 2rem 0 .5rem; }
        .cards h2, .cards h3 { font-size: 1rem; margin: 0 0 .25rem; }
        p { margin: .5rem 0; }
        .lead { font-size: 1.125rem; }
        .row { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin: 1rem 0; }
        .row form { margin: 0; }
        .code { font-size: 1.75rem; letter-spacing: .08em; margin: 1rem 0; }
        .skip { position: absolute; left: -100rem; }
        .skip:focus { position: static; display: block; padding: .5rem 1.25rem; }
        ul { padding-left: 1.25rem; } ul.plain { list-style: none; padding: 0; } ul.plain li { margin: .5rem 0; }
        legend { font-weight: 600; padding: 0 .25rem; }
        label.check { display: flex; gap: .625rem; align-items: baseline; font-weight: 400; padding: .25rem 0; }
        summary { cursor: pointer; margin: 2rem 0 .5rem; }
        input[aria-invalid] { border-color: var(--bad); }
        a { color: var(--accent); text-decoration: none; }
        a:hover, a:focus-visible { text-decoration: underline; }
        code, pre { font-family: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace; font-size: .875em; }
        .quiet { color: var(--quiet); font-size: .875rem; font-weight: 400; }
        .good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); }
        .sheet, ul.cards > li, table { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; }
        .sheet { padding: 1rem 1.25rem; margin: 1rem 0; }
        ul.cards { list-style: none; margin: 1rem 0; padding: 0; display: grid; gap: .75rem; }
        ul.cards > li { padding: .75rem 1.125rem; } ul.cards p { margin: 0; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: .75rem 0; }
        dt { color: var(--quiet); } dd { margin: 0; }
        .scroll { overflow-x: auto; }
        table { width: 100%; overflow-wrap: break-word; border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums; }
        th, td { text-align: left; padding: .5rem 1rem; border-top: 1px solid var(--line); }
        thead th { border-top: 0; font-weight: 400; font-size: .875rem; color: var(--quiet); }
        form { display: grid; gap: .375rem; margin: 1rem 0; justify-items: start; }
        form p { margin: 0; } main form > button { margin-top: .75rem; }
        .row form > button { margin-top: 0; }
        label { font-weight: 600; } form > label:not(:first-of-type), fieldset { margin-top: .75rem; }
        input:not([type=hidden], [type=checkbox], [type=radio]), select, textarea { width: 100%; }
        input, select, textarea, button { font: inherit; color: inherit; padding: .5rem .75rem; border-radius: 8px;
          border: 1px solid var(--line); background: var(--sheet); }
        button { cursor: pointer; }
        main button, a.button { background: var(--accent); border: 1px solid transparent; color: var(--sheet);
          padding: .5rem .875rem; border-radius: 8px; display: inline-block; }
        main button.plain, a.button.plain { background: var(--sheet); color: var(--accent); border-color: var(--line); }
        main button.danger { background: var(--sheet); color: var(--bad); border-color: var(--line); }
        nav button { padding: .25rem .625rem; font-size: .875rem; }
        fieldset { border: 1px solid var(--line); border-radius: 10px; margin-inline: 0; margin-bottom: 0; padding: .375rem 1rem .5rem; width: 100%; }
        h3 { font-size: 1rem; margin: 1.25rem 0 .375rem; }
        .spans { gap: 1rem; margin: .5rem 0; } .spans [aria-current] { color: var(--ink); font-weight: 600; }
        ul.counts { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; }
        .chart { margin: 1rem 0 1.5rem; } .chart figcaption { font-weight: 600; }
        .chart svg { display: block; width: 100%; height: 9rem; margin: .5rem 0 0; border-bottom: 1px solid var(--quiet);
          background: var(--sheet); }
        .chart g.good { fill: var(--good); } .chart g.warn { fill: var(--warn); } .chart g.bad { fill: var(--bad); }
        .chart g.quiet { fill: var(--quiet); }
        .scale { display: flex; justify-content: space-between; gap: .75rem; color: var(--quiet); font-size: .875rem; margin: .25rem 0; }
        .legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .875rem; margin: .25rem 0; }
        .key { color: var(--ink); font-size: .875rem; }
        .key::before { content: ""; display: inline-block; width: .75em; height: .75em; margin-right: .4em; background: currentColor; }
        .key.good::before { background: var(--good); } .key.warn::before { background: var(--warn); }
        .key.bad::before { background: var(--bad); } .key.quiet::before { background: var(--quiet); }
        .chart th { white-space: nowrap; }
        .chart summary { margin: .5rem 0; font-size: .875rem; }
        th[scope=row] { font-weight: 400; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
        @media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; }
          th, td { padding: .5rem .625rem; } }

        """
}
