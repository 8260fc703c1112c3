// Coverage as one page that needs nothing else: no script, no font, no address of anybody. Its content policy allows
// exactly its own style, so it can be served anywhere.
import type { CoveredPoint, CoverageReport } from './coverage-report.ts'
import { escaped } from './escape.ts'
import { gridsOf, remarksText, percentMeaning, percentText, type OperationGrid } from './grid.ts'
import type { GridCell } from './grid-rows.ts'
import { contentPolicy, style } from './html-style.ts'
import { nothingForIt } from './text.ts'

export function htmlReport(report: CoverageReport): string {
  const { total, covered, percent } = report
  const grids = gridsOf(report)
  const missing = total - covered
  const remarks = remarksText(report)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${percentText(percent)} contract coverage</title>
<link rel="icon" href="${icon}">
<style>${style}</style>
</head>
<body>
<div class="page">
<header class="head">
${ring(percent)}
<div>
<h1>Contract coverage</h1>
<p><b>${covered} of ${total}</b> contract points were exercised${missing === 0 ? ': all of them.' : `; <b>${missing}</b> are missing, with requests to paste.`}</p>${remarks === undefined ? '' : `\n<p>${escaped(remarks)}</p>`}
</div>
</header>
<nav aria-label="Operations">
<ul class="overview">
${grids.map(overview).join('\n')}
</ul>
</nav>
<input class="filter" type="radio" name="show" id="show-all" checked>
<input class="filter" type="radio" name="show" id="show-missing">
<div class="filters">
<label for="show-all">All points</label><label for="show-missing">Only what is missing</label>
</div>
<main>
${grids.map(operation).join('\n')}
</main>
<footer>
<details>
<summary>What counts</summary>
<p>${percentMeaning}</p>
<p>What a client sent counts wherever the sandbox came to look at it: how the key was sent, version and product, values at their limits, locales. What a client was answered counts only when the answer is the sandbox’s own: successes, errors, scopes, pages, values. An answer that a scenario ended or rewrote, or that is off contract, counts for its request alone.</p>
<p>Requests name rows of the built-in fixtures, in their first state; a reset brings it back.</p>
</details>
</footer>
</div>
</body>
</html>
`
}

const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8" fill="#2a9d5c"/><path d="M4.5 8.2l2.4 2.4 4.6-5" fill="none" stroke="#fff" stroke-width="2"/></svg>',
  )

function ring(percent: number): string {
  const around = 2 * Math.PI * 45
  const fill = (around * percent) / 100
  // A round cap would show a dot where there is nothing.
  const arc =
    percent === 0
      ? ''
      : `<circle class="fill" cx="55" cy="55" r="45" transform="rotate(-90 55 55)" stroke-dasharray="${fill.toFixed(2)} ${around.toFixed(2)}"/>`
  return `<svg class="ring" viewBox="0 0 110 110" role="img" aria-label="${percentText(percent)} covered"><circle class="track" cx="55" cy="55" r="45"/>${arc}<text x="55" y="55">${percent}%</text></svg>`
}

function bar(covered: number, total: number): string {
  const width = ((covered / total) * 100).toFixed(2)
  return `<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="1"/></svg>`
}

function overview({ operation: id, covered, total }: OperationGrid): string {
  return `<li><a href="#${escaped(id)}"><span><span class="id">${escaped(id)}</span><span class="count">${covered} of ${total}</span></span>${bar(covered, total)}</a></li>`
}

function operation(grid: OperationGrid): string {
  const { operation: id, method, path, summary, covered, total, rows, missing } = grid
  return `<details class="operation${missing.length === 0 ? ' whole' : ''}" id="${escaped(id)}" open>
<summary>
<h2>${escaped(id)}</h2>
<span class="request" title="${escaped(summary)}"><span class="method">${method}</span> <code>${escaped(path)}</code></span>
<span class="count">${covered} of ${total}</span>
${bar(covered, total)}
</summary>
<dl class="grid">
${rows
  .map(
    ({ title, cells }) =>
      `<div${cells.every(({ point }) => point.covered) ? ' class="whole"' : ''}><dt>${escaped(title)}</dt><dd>${cells.map(cell).join('')}</dd></div>`,
  )
  .join('\n')}
</dl>
${missing.length === 0 ? '<p class="whole-note">Every point was exercised.</p>' : missingList(missing)}
</details>`
}

function cell({ label, point: { id, sentence, covered, hits } }: GridCell): string {
  if (covered) {
    return `<span class="cell done" title="${escaped(sentence)}">✓ ${escaped(label)} <span class="hits">×${hits}</span></span>`
  }
  return `<a class="cell gap" href="#${escaped(id)}" title="${escaped(sentence)}">○ ${escaped(label)}</a>`
}

function missingList(points: readonly CoveredPoint[]): string {
  return `<details class="missing">
<summary>${points.length} missing, with requests to paste</summary>
<ol>
${points.map(missingPoint).join('\n')}
</ol>
</details>`
}

function missingPoint({ id, sentence, section, exercise = nothingForIt }: CoveredPoint): string {
  return `<li id="${escaped(id)}"><span class="id">${escaped(id)}</span><p>${escaped(sentence)} <span class="section">Contract: ${escaped(section)}</span></p><pre>${escaped(exercise)}</pre></li>`
}
