// Findings of conform as one page that needs nothing else; its content policy allows exactly its own style.
import type { Conformance, JudgedPoint } from '../../../probe/conform.ts'
import { escaped } from '../../../coverage/reports/escape.ts'
import { contentPolicy, style as coverageStyle } from '../../../coverage/reports/html-style.ts'
import { byReason, evidenceLines, headline, pointsOf } from './findings.ts'

const style = `${coverageStyle}
.verdicts { display: flex; flex-wrap: wrap; gap: .5rem; padding: 0; margin: 0 0 1.5rem; list-style: none; }
.verdicts li { padding: .4rem .9rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
.verdicts .is-broken { border-color: var(--gap-line); background: var(--gap-back); color: var(--gap); }
.point { padding: 1rem; margin: 0 0 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
.point h3 { margin: 0 0 .25rem; font-size: 1rem; overflow-wrap: anywhere; }
.point dl { margin: .5rem 0; } .point dt { color: var(--soft); font-size: .875rem; } .point dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
.point pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--code); padding: .75rem; border-radius: 8px; }
.reason ul { columns: 20rem; font-size: .875rem; }
`

export function conformanceHtml(found: Conformance): string {
  const { target, at, package: name, version, summary } = found
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Conformance of ${escaped(target.host)}</title>
<style>${style}</style>
</head>
<body>
<div class="page">
<header class="head">
<div>
<h1>Conformance of ${escaped(target.host)}</h1>
<p>${escaped(headline(found))} Asked at ${escaped(at)} by ${escaped(name)} ${escaped(version)}.</p>
</div>
</header>
<ul class="verdicts">
${Object.entries(summary)
  .map(
    ([verdict, count]) =>
      `<li class="is-${escaped(verdict)}"><b>${count}</b> ${escaped(verdict.replaceAll('_', ' '))}</li>`,
  )
  .join('\n')}
</ul>
<main>
${section('Broken', pointsOf(found, 'broken').map(whole))}
${section('Unstable', pointsOf(found, 'unstable').map(whole))}
${section('Not called', byReason(pointsOf(found, 'not_called')).map(reason))}
${section('Not observable', byReason(pointsOf(found, 'not_observable')).map(reason))}
${section('Holds', [listOf(pointsOf(found, 'holds'))])}
</main>
</div>
</body>
</html>
`
}

function section(title: string, parts: readonly string[]): string {
  const shown = parts.filter((part) => part !== '')
  return shown.length === 0 ? '' : `<section>\n<h2>${title}</h2>\n${shown.join('\n')}\n</section>`
}

function whole(point: JudgedPoint): string {
  const { id, sentence, section: from, why = '', expected = '' } = point
  const exchange = evidenceLines(point)
    .map((lines) => `<pre>${escaped(lines.join('\n'))}</pre>`)
    .join('\n')
  return `<article class="point" id="${escaped(id)}">
<h3><span class="id">${escaped(id)}</span></h3>
<p>${escaped(sentence)} <span class="section">Contract: ${escaped(from)}</span></p>
<dl>
<dt>Seen</dt><dd>${escaped(why)}</dd>
${expected === '' ? '' : `<dt>Expected</dt><dd>${escaped(expected)}</dd>`}
</dl>
${exchange}
</article>`
}

function reason([why, points]: [string, JudgedPoint[]]): string {
  return `<details class="reason">
<summary>${escaped(why)} (${points.length})</summary>
${listOf(points)}
</details>`
}

function listOf(points: readonly JudgedPoint[]): string {
  if (points.length === 0) return ''
  return `<ul>\n${points.map(({ id, sentence }) => `<li title="${escaped(sentence)}"><span class="id">${escaped(id)}</span></li>`).join('\n')}\n</ul>`
}
