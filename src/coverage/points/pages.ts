// Contract points of pagination: the edges of a list, its cursor and page size.
import { isJsonObject } from '../../contract/formats.ts'
import type { Assumptions } from '../../contract/assumptions.ts'
import { isRequired, type Endpoint } from '../../endpoints/define.ts'
import { isOwnAnswer } from '../what-counts.ts'
import type { Facet } from './point.ts'
import { valueSent, type Sent } from './inputs.ts'

/** The inputs of a paged list, in both pagination dialects. */
const sizeField = 'limit'
const cursorField = 'starting_after'

const sentences = {
  first: 'The first of several pages says that there is more.',
  middle: 'A page in the middle starts after the cursor and says that there is more.',
  last: 'The last of several pages says that there is no more.',
  only: 'A list that fits on one page says that there is no more.',
  empty: 'A page can be empty.',
}
type Edge = keyof typeof sentences
const edges = Object.keys(sentences) as Edge[]

export const pages: Facet = {
  points(endpoint, { values }) {
    if (!isPaged(endpoint, values)) return []
    const { section } = endpoint
    return [
      ...edgesOf(endpoint, values).map((edge) => ({
        name: `page/${edge}`,
        sentence: sentences[edge],
        section,
        recipe: { page: edge },
      })),
      {
        name: 'page/default_size',
        sentence: `Without ${sizeOf(endpoint, values)} a page holds at most ${values.default_page_size}.`,
        section: 'Limits',
        recipe: {},
      },
      ...(values.unknown_cursor === 'refuse'
        ? [
            {
              name: 'page/unknown_cursor',
              sentence: `A ${cursorField} that names no position in the list is refused as a violation.`,
              section,
              recipe: { page: 'beyond' } as const,
            },
          ]
        : []),
    ]
  },
  watch(endpoint, placeOf, { values }) {
    const places = new Map(edges.map((edge) => [edge, placeOf(`page/${edge}`)]))
    const defaultSize = placeOf('page/default_size')
    const unknownCursor = placeOf('page/unknown_cursor')
    const size = valueSent(endpoint, sizeField, values)
    const cursor = valueSent(endpoint, cursorField, values)
    return (call, counter) => {
      if (!call.resolution.asked || !isOwnAnswer(call)) return
      // The handler of a list refuses only an unknown cursor as a violation.
      if (call.outcome.failure?.type === 'VALIDATION_ERROR') counter.hit(unknownCursor)
      else if (isJsonObject(call.result)) {
        counter.hit(places.get(edgeOf(call.result, cursor(call))))
        if (size(call) === undefined) counter.hit(defaultSize)
      }
    }
  },
}

function edgeOf({ data, has_more: more }: Readonly<Record<string, unknown>>, cursor: Sent): Edge {
  if (Array.isArray(data) && data.length === 0) return 'empty'
  if (cursor === undefined) return more === true ? 'first' : 'only'
  return more === true ? 'middle' : 'last'
}

/** A list can also read its page inputs from the body, if an assumption allows it. */
function isPaged({ pagination, body }: Endpoint, values: Assumptions): boolean {
  return pagination !== undefined || (body !== undefined && cursorField in body(values).shape)
}

/** A list with a required filter that matches one row has a single page. */
function edgesOf({ query }: Endpoint, values: Assumptions): readonly Edge[] {
  const isFiltered = Object.values(query).some((parameter) => isRequired(parameter, values))
  return isFiltered ? ['only', 'empty'] : edges
}

/** The client-facing name of the page size. */
function sizeOf({ query }: Endpoint, values: Assumptions): string {
  const nameFrom = query[sizeField]?.nameFrom
  return nameFrom ? values[nameFrom] : sizeField
}
