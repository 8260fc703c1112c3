// The look of HTML reports, and what such a page may load.
import { createHash } from 'node:crypto'

/** What a report may load: nothing but images within it, and its one style, which is known by its hash. */
export const contentPolicy = (style: string): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/** The look of the HTML report. No class is named after a colour: both schemes use the same ones. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #f4f5f8; --card: #ffffff; --line: #dfe3ea; --text: #1b2230; --soft: #5a6475;
  --done: #14703f; --done-back: #e0f4e7; --done-line: #b4dfc4; --gap: #8a4b08; --gap-back: #fff8ec; --gap-line: #d9b277;
  --track: #e4e8ef; --fill: #2a9d5c; --code: #f1f3f7; --accent: #2456c9;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #10141b; --card: #181e28; --line: #2b3444; --text: #e6eaf1; --soft: #9aa6b8;
    --done: #7fdca5; --done-back: #12301f; --done-line: #235c3b; --gap: #f0bd6f; --gap-back: #2a2115; --gap-line: #6d5326;
    --track: #2a3342; --fill: #3fb873; --code: #10151d; --accent: #8fb4ff;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; padding: 2rem 1rem 4rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
.page { max-width: 72rem; margin: 0 auto; }
code, .id { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875em; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }

.head { display: flex; align-items: center; gap: 1.75rem; margin-bottom: 2rem; }
.ring { flex: none; width: 8.5rem; height: 8.5rem; }
.ring circle { fill: none; stroke-width: 10; }
.ring .track { stroke: var(--track); }
.ring .fill { stroke: var(--fill); stroke-linecap: round; }
.ring text { fill: var(--text); font-size: 21px; font-weight: 700; text-anchor: middle; dominant-baseline: central; }
h1 { margin: 0 0 .25rem; font-size: clamp(1.6rem, 5vw, 2.25rem); line-height: 1.15; letter-spacing: -.02em; }
.head p { margin: 0; color: var(--soft); max-width: 38rem; }
.head b { color: var(--text); font-weight: 600; }

.overview {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: .5rem;
  margin: 0 0 1.5rem; padding: 0; list-style: none;
}
.overview a {
  display: block; padding: .55rem .75rem .65rem; border: 1px solid var(--line); border-radius: 10px;
  background: var(--card); color: inherit; text-decoration: none;
}
.overview a:hover { border-color: var(--accent); }
.overview span { display: flex; justify-content: space-between; gap: .75rem; font-size: .875rem; }
.overview .id { overflow: hidden; text-overflow: ellipsis; }
.count { color: var(--soft); font-variant-numeric: tabular-nums; white-space: nowrap; }
.bar { display: block; width: 100%; height: 6px; margin-top: .4rem; border-radius: 3px; background: var(--track); }
.bar rect { fill: var(--fill); }

.filter { position: absolute; opacity: 0; pointer-events: none; }
.filters { display: inline-flex; margin: 0 0 1.25rem; padding: 3px; border-radius: 10px; background: var(--track); }
.filters label { padding: .3rem .9rem; border-radius: 8px; font-size: .9rem; cursor: pointer; color: var(--soft); }
#show-all:checked ~ .filters [for="show-all"], #show-missing:checked ~ .filters [for="show-missing"] {
  background: var(--card); color: var(--text); font-weight: 600; box-shadow: 0 1px 2px rgb(0 0 0 / .15);
}
#show-all:focus-visible ~ .filters [for="show-all"], #show-missing:focus-visible ~ .filters [for="show-missing"] {
  outline: 2px solid var(--accent); outline-offset: 1px;
}
#show-missing:checked ~ main .done, #show-missing:checked ~ main .whole { display: none; }

.operation {
  margin-bottom: 1rem; border: 1px solid var(--line); border-radius: 14px; background: var(--card); overflow: hidden;
}
summary { cursor: pointer; }
.operation > summary {
  display: grid; grid-template-columns: auto 1fr auto; align-items: center; gap: .15rem .75rem;
  padding: .9rem 1.1rem 1rem; list-style: none;
}
.operation > summary::-webkit-details-marker { display: none; }
.operation > summary:hover { background: color-mix(in srgb, var(--accent) 5%, transparent); }
.operation h2 { margin: 0; font-size: 1.05rem; overflow-wrap: anywhere; }
.operation h2::before {
  content: ""; display: inline-block; width: .45em; height: .45em; margin: 0 .65em .12em .1em;
  border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(-45deg); transition: transform .15s;
}
.operation[open] > summary h2::before { transform: translateY(-.12em) rotate(45deg); }
.operation > summary > .bar { grid-column: 1 / -1; }
.request { color: var(--soft); font-size: .8125rem; min-width: 0; overflow-wrap: anywhere; }
.method { font-weight: 700; color: var(--text); }

.grid { margin: 0; padding: .35rem 1.1rem 1rem; }
.grid > div { display: grid; grid-template-columns: 8.5rem 1fr; gap: .35rem 1rem; padding: .5rem 0; border-top: 1px solid var(--line); }
.grid dt { color: var(--soft); font-size: .875rem; padding-top: .2rem; }
.grid dd { display: flex; flex-wrap: wrap; gap: .35rem; margin: 0; min-width: 0; }
.cell {
  display: inline-flex; align-items: baseline; gap: .4em; max-width: 100%; padding: .12rem .6rem;
  border: 1px solid; border-radius: 999px; font-size: .8125rem; line-height: 1.5; overflow-wrap: anywhere;
  text-decoration: none;
}
.done { color: var(--done); background: var(--done-back); border-color: var(--done-line); }
.gap { color: var(--gap); background: var(--gap-back); border-color: var(--gap-line); border-style: dashed; }
.gap:hover { border-style: solid; }
.hits { opacity: .75; font-size: .75rem; font-variant-numeric: tabular-nums; }

.missing { border-top: 1px solid var(--line); }
.missing > summary { padding: .7rem 1.1rem; color: var(--gap); font-size: .9rem; font-weight: 600; }
.missing ol { margin: 0; padding: 0 .5rem .7rem; list-style: none; }
.missing li { margin-top: .35rem; padding: .5rem .6rem .6rem; border-radius: 10px; }
.missing li:target { background: color-mix(in srgb, var(--gap) 12%, transparent); }
.missing p { margin: 0 0 .4rem; font-size: .9rem; overflow-wrap: anywhere; }
.missing .id { display: block; font-weight: 600; overflow-wrap: anywhere; }
.missing .section { color: var(--soft); }
pre {
  margin: 0; padding: .6rem .8rem; border: 1px solid var(--line); border-radius: 8px; background: var(--code);
  font-size: .8125rem; line-height: 1.45; white-space: pre-wrap; overflow-wrap: anywhere; user-select: all;
}
.whole-note { margin: 0; padding: .2rem 1.1rem 1rem; color: var(--done); font-size: .9rem; }
footer { margin-top: 2rem; color: var(--soft); font-size: .875rem; }
footer summary { color: var(--text); font-weight: 600; }
footer p { max-width: 46rem; }

@media (max-width: 36rem) {
  body { padding: 1.25rem .75rem 3rem; }
  .head { gap: 1rem; }
  .ring { width: 5.75rem; height: 5.75rem; }
  .overview { gap: .3rem; }
  .overview a { padding: .3rem .65rem .45rem; }
  .overview .bar { margin-top: .15rem; height: 4px; }
  .operation > summary { grid-template-columns: 1fr auto; padding: .8rem .85rem .9rem; }
  .request { grid-column: 1 / -1; grid-row: 2; }
  .grid { padding: .2rem .85rem .85rem; }
  .grid > div { grid-template-columns: 1fr; gap: .3rem; }
  .missing > summary { padding: .7rem .85rem; }
  .missing ol { padding: 0 .25rem .5rem; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
@media print { body { background: none; padding: 0; } .filters { display: none; } .operation { break-inside: avoid-page; } }
`
