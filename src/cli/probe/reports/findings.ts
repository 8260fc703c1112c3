// Groups the findings of conform for people: broken points, and points that could not be checked, by reason.
import type { Conformance, JudgedPoint, PointVerdict } from '../../../probe/conform.ts'
import type { Evidence } from '../../../probe/evidence.ts'

/** The points of one verdict. */
export const pointsOf = ({ points }: Conformance, verdict: PointVerdict): JudgedPoint[] =>
  points.filter((point) => point.verdict === verdict)

/** Points by the reason why they could not be checked, the most common reason first. */
export function byReason(points: readonly JudgedPoint[]): [why: string, points: JudgedPoint[]][] {
  const reasons = new Map<string, JudgedPoint[]>()
  for (const point of points) {
    const why = point.why ?? 'no reason is known'
    reasons.set(why, [...(reasons.get(why) ?? []), point])
  }
  return [...reasons].toSorted(([, a], [, b]) => b.length - a.length)
}

/** Returns the result in one sentence. */
export function headline({ target, summary, requests, partial }: Conformance): string {
  const { holds, broken, not_observable: unseen, not_called: uncalled, unstable } = summary
  const counts = [
    `${holds} hold`,
    `${broken} broken`,
    `${unseen} not observable`,
    ...(uncalled > 0 ? [`${uncalled} not called`] : []),
    ...(unstable > 0 ? [`${unstable} unstable`] : []),
  ]
  const early = partial ? '; partial, as the run was stopped early' : ''
  return `${target.host}: ${counts.join(', ')}, by ${requests.sent} ${requests.sent === 1 ? 'request' : 'requests'}${early}.`
}

/** Maximum number of ids per reason, in the text report only. */
const maxIds = 4

/** Returns the reasons why points could not be checked, each with some of them. */
export function reasonLines(points: readonly JudgedPoint[]): string[] {
  return byReason(points).flatMap(([why, own]) => {
    const ids = own.slice(0, maxIds).map(({ id }) => id)
    const more = own.length > maxIds ? [`and ${own.length - maxIds} more`] : []
    return [`  ${why}`, `    ${[...ids, ...more].join(', ')}`]
  })
}

/** Returns the calls of a point, each in a few lines; if they are withheld, the reason. */
export function evidenceLines({ exchanges = [], exchanges_withheld: withheld }: JudgedPoint): string[][] {
  return withheld === undefined ? exchanges.map(exchangeLines) : [[`exchanges withheld: ${withheld}`]]
}

/** Returns a call in a few lines: the request and the answer. */
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

/** Returns the beginning of a body. */
function bodyText(body: unknown): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return text.length > 600 ? `${text.slice(0, 600)}…` : text
}
