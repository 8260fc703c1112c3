// Finds the name of the page-size parameter of a list, which is an assumption, with two requests.
import { valuesOf } from '../../contract/assumptions.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { endpoints } from '../../endpoints/index.ts'
import type { ProbeContext, Step } from '../probe.ts'
import { call } from './calls.ts'
import { isSuccess } from '../answers.ts'
import { detailsOf, namesField } from './seen.ts'

/** The page size of a list. */
export interface PageSize {
  /** Its possible names. */
  names: readonly string[]
  /** Sends an invalid value under each name. */
  nonsense: Step<'holds'>
  /** The steps that find the name, before any step of `asking`. */
  finding: readonly Step<'holds'>[]
  /** Returns the name that the answers show. */
  nameIn(context: Pick<ProbeContext, 'answer'>): string | undefined
  /** Requests a page of a size. */
  asking(size: string, risk: 'read' | 'refusal'): Step<'holds'>
}

/** Returns the page size of an endpoint; undefined if its query has none. */
export const pageSizeOf = (endpoint: Endpoint): PageSize | undefined => pageSizes.get(endpoint)

const pageSizes = new Map(
  endpoints.flatMap((endpoint) => {
    const nameFrom = endpoint.query['limit']?.nameFrom
    return nameFrom === undefined ? [] : [[endpoint, find(endpoint, valuesOf(nameFrom))] as const]
  }),
)

/**
 * Sends all names together. If unknown parameters are ignored, a page of 1 is accepted, and an invalid value is refused
 * with a detail that names the right one. If they are refused, a page of 1 is refused with details that name all except
 * the right one. Each detail names its field (contract: Errors, shape A).
 */
function find(endpoint: Endpoint, names: readonly string[]): PageSize {
  const all = (size: string): string => `?${names.map((name) => `${name}=${size}`).join('&')}`
  const one = call(endpoint, 'a page of one under each name', { query: all('1') })
  const nonsense = call(endpoint, 'nonsense under each name', { query: all('none') })
  const nameIn: PageSize['nameIn'] = ({ answer }) => {
    const [taken, refused] = [answer(one.name), answer(nonsense.name)]
    if (!taken || !refused) return undefined
    const isNamed = (name: string): boolean =>
      detailsOf(isSuccess(taken) ? refused : taken).some((detail) => namesField(detail, name))
    const right = names.filter((name) => isNamed(name) === isSuccess(taken))
    return right.length === 1 ? right[0] : undefined
  }
  const requested = new Map<string, Step<'holds'>>()
  const ask = (size: string, risk: 'read' | 'refusal'): Step<'holds'> => {
    const step = call(endpoint, `a page of ${size}`, { query: `?<page size>=${size}`, risk })
    return {
      ...step,
      request(context) {
        const name = nameIn(context)
        const path = step.path(context).replace('<page size>', name ?? '')
        return name === undefined ? undefined : { ...step.request(context), path }
      },
    }
  }
  return {
    names,
    nonsense,
    finding: [one, nonsense],
    nameIn,
    asking(size, risk) {
      const step = requested.get(size) ?? ask(size, risk)
      requested.set(size, step)
      return step
    },
  }
}
