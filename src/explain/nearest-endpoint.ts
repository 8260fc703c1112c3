// Finds the endpoint that an unknown path probably meant: an edit distance over segments.
import { closest } from '../input/did-you-mean.ts'
import type { Endpoint } from '../endpoints/define.ts'
import { onOneLine, quoted } from './quoted-values.ts'

/** The endpoint that a call probably meant, and every difference. */
export interface NearestEndpoint {
  endpoint: Endpoint
  differs: string[]
}

/** The distance of two paths, or of a part of them. */
interface Distance {
  /** Integers, so that equal distances compare as equal; an unknown word costs about a hundred. */
  cost: number
  differs: readonly string[]
  /** A word of the endpoint's path was recognized, in addition to the common beginning. */
  recognized: boolean
}

const nowhere: Distance = { cost: Number.POSITIVE_INFINITY, differs: [], recognized: false }
const same: Distance = { cost: 0, differs: [], recognized: false }

/** Maximum distance: a call that is further away is not similar to any endpoint. */
const tooFar = 200

/** Longer paths are not compared. */
const maxSegments = 20

/**
 * Finds the nearest endpoint; undefined if none is near.
 *
 * @example nearestEndpoint('GET', '/v2/reward/rwd_1', endpoints)?.differs   // ["'reward' should be 'rewards'"]
 */
export function nearestEndpoint(
  method: string,
  path: string,
  endpoints: readonly Endpoint[],
): NearestEndpoint | undefined {
  const sent = path.split('/').slice(1).map(decoded)
  if (sent.length > maxSegments) return undefined
  let best: NearestEndpoint | undefined
  let least = tooFar
  for (const endpoint of endpoints) {
    const wanted = endpoint.path.split('/').slice(1)
    const { cost, differs, recognized } = plus(
      pathDistance(sent, wanted),
      methodDistance(method, endpoint, endpoints),
    )
    if (!recognized || cost >= least) continue
    least = cost
    best = { endpoint, differs: [...differs] }
  }
  return best
}

/**
 * Returns the minimum distance of two paths, segment by segment; an edit distance, computed from the ends of the paths.
 */
function pathDistance(sent: readonly string[], wanted: readonly string[]): Distance {
  /** The distances of the remaining paths: by position in `wanted`, for one position in `sent`. */
  let after: Distance[] = []
  for (let at = sent.length; at >= 0; at--) {
    const row: Distance[] = []
    for (let place = wanted.length; place >= 0; place--) {
      const [first, template] = [sent[at], wanted[place]]
      const [missing, surplus, changed] = [row[place + 1], after[place], after[place + 1]]
      const ways: Distance[] = []
      if (first !== undefined && template !== undefined && changed) {
        ways.push(plus(segmentDistance(first, template), changed))
      }
      if (template !== undefined && missing) ways.push(plus(missingSegment(template), missing))
      if (first !== undefined && surplus)
        ways.push(plus(surplusSegment(first, at === sent.length - 1), surplus))
      row[place] = ways.reduce((least, way) => (way.cost < least.cost ? way : least), ways[0] ?? same)
    }
    after = row
  }
  return after[0] ?? same
}

function plus(a: Distance, b: Distance): Distance {
  return {
    cost: a.cost + b.cost,
    differs: [...a.differs, ...b.differs],
    recognized: a.recognized || b.recognized,
  }
}

function segmentDistance(sent: string, template: string): Distance {
  // A fixed word is nearer than a parameter that matches any.
  if (isParameter(template)) return sent === '' ? nowhere : { ...same, cost: 1 }
  const recognized = template !== prefix
  if (sent === template) return { ...same, recognized }
  const should = `${quoted(sent)} should be ${quoted(template)}`
  if (sent.toLowerCase() === template) {
    return { cost: 10, differs: [`${should}: paths are in lower case`], recognized }
  }
  if (template === prefix) {
    return /^v\d+$/i.test(sent) ? { cost: 30, differs: [should], recognized } : nowhere
  }
  if (lettersOf(sent) === lettersOf(template)) return { cost: 30, differs: [should], recognized }
  const isPart = sent.length >= 4 && template.includes(sent.toLowerCase())
  if (isPart || closest(sent, [template]) !== undefined) return { cost: 50, differs: [should], recognized }
  return nowhere
}

function missingSegment(template: string): Distance {
  const cost = template === prefix ? 50 : isParameter(template) ? 80 : 90
  return { ...same, cost, differs: [`/${template} is missing`] }
}

function surplusSegment(sent: string, isLast: boolean): Distance {
  if (sent !== '') return { ...same, cost: 90, differs: [`/${onOneLine(sent)} is superfluous`] }
  return { ...same, cost: 20, differs: [isLast ? 'it ends in a slash' : 'it has two slashes in a row'] }
}

/** The beginning of every path of the API. */
const prefix = 'v2'

function isParameter(template: string): boolean {
  return template.startsWith('{')
}

function lettersOf(segment: string): string {
  return segment.toLowerCase().replace(/[^a-z0-9]/g, '')
}

function methodDistance(
  method: string,
  { method: own, path }: Endpoint,
  endpoints: readonly Endpoint[],
): Distance {
  if (method === own || (method === 'HEAD' && own === 'GET')) return same
  const methods = endpoints.filter((endpoint) => endpoint.path === path).map((endpoint) => endpoint.method)
  return { ...same, cost: 40, differs: [`${onOneLine(method)} should be ${methods.join(' or ')}`] }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
