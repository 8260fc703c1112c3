// Arranges what conform found for people: what is broken, and what could not be seen by what it takes.
import type { Conformance, JudgedPoint, PointVerdict } from '../../../probe/conform.ts'
import type { Evidence } from '../../../probe/evidence.ts'

/** The points of one verdict. */
export const pointsOf = ({ points }: Conformance, verdict: PointVerdict): JudgedPoint[] =>
  points.filter((point) => point.verdict === verdict)

/** Points by why they could not be judged, those first that most of them have in common. */
export function byReason(points: readonly JudgedPoint[]): [why: string, points: JudgedPoint[]][] {
  const reasons = new Map<string, JudgedPoint[]>()
  for (const point of points) {
    const why = point.why ?? 'no reason is known'
    reasons.set(why, [...(reasons.get(why) ?? []), point])
  }
  return [...reasons].toSorted(([, a], [, b]) => b.length - a.length)
}

/** How it went, as one sentence. */
export function headline({ target, summary, requests, partial }: Conformance): string {
  const { holds, broken, not_observable: unseen, not_called: uncalled, unstable } = summary
  const counts = [
    `${holds} hold`,
    `${broken} broken`,
    `${unseen} not observable`,
    ...(uncalled > 0 ? [`${uncalled} not called`] : []),
    ...(unstable > 0 ? [`${unstable} unstable`] : []),
  ]
  const early = partial ? '; this is partial, as it was stopped before its end' : ''
  return `${target.host}: ${counts.join(', ')}, by ${requests.sent} ${requests.sent === 1 ? 'request' : 'requests'}${early}.`
}

/** As many ids of one reason as anybody reads; the page and the JSON report have all. */
const maxIds = 4

/** Why points could not be judged, each with some of them. */
export function reasonLines(points: readonly JudgedPoint[]): string[] {
  return byReason(points).flatMap(([why, own]) => {
    const ids = own.slice(0, maxIds).map(({ id }) => id)
    const more = own.length > maxIds ? [`and ${own.length - maxIds} more`] : []
    return [`  ${why}`, `    ${[...ids, ...more].join(', ')}`]
  })
}

/** The exchanges of a point, each as a few lines; in their place the reason where they are withheld. */
export function evidenceLines({ exchanges = [], exchanges_withheld: withheld }: JudgedPoint): string[][] {
  return withheld === undefined ? exchanges.map(exchangeLines) : [[`exchanges withheld: ${withheld}`]]
}

/** An exchange as a few lines: what was sent, what was answered. */
function exchangeLines({ request, answer, not_called: notCalled }: Evidence): string[] {
  const headers = Object.entries(request.headers)
    .filter(([name]) => name !== 'accept' && name !== 'content-type')
    .map(([name, value]) => `${name}: ${value}`)
  const body = request.body === undefined ? [] : [JSON.stringify(request.body)]
  const answered = answer
    ? [`→ ${answer.status} ${bodyText(answer.body)}`]
    : [`→ not called: ${notCalled ?? 'no reason is known'}`]
  return [`${request.method} ${request.path}`, ...headers, ...body, ...answered]
}

/** As much of a body as shows what it is. */
function bodyText(body: unknown): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return text.length > 600 ? `${text.slice(0, 600)}…` : text
}
