// Contract points of limits: values at and beyond each boundary of parameters and fields (contract: Limits).
import type { z } from 'zod'
import { assumptionCatalogue, type Assumptions } from '../../contract/assumptions.ts'
import { isJsonObject } from '../../contract/formats.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { countsAsSent } from '../what-counts.ts'
import { inputsOf, sending, valueSent, type Input, type Sent } from './inputs.ts'
import { assumptionsOf, charactersOf, keywordsOf } from './limits.ts'
import type { Facet } from './point.ts'

/** One side of one limit. */
interface Edge {
  name: string
  /** What follows the name of the field in a sentence. */
  says: string
  section: string
  /** A value at this edge. */
  example: string | number
  /** Whether a value stands at this edge; beyond a limit, every value does. */
  fits(value: Sent): boolean
}

export const boundaries: Facet = {
  points: (endpoint, { values }) =>
    limitedInputs(endpoint, values).flatMap(({ field, name, edges }) =>
      edges.map(({ name: side, says, section, example }) => ({
        name: `boundary/${field}/${side}`,
        sentence: `${name} ${says}.`,
        section,
        recipe: sending(endpoint, field, example),
      })),
    ),
  watch(endpoint, placeOf, { values }) {
    const fields = limitedInputs(endpoint, values).map(({ field, edges }) => ({
      read: valueSent(endpoint, field, values),
      edges: edges.map(({ name, fits }) => ({ fits, place: placeOf(`boundary/${field}/${name}`) })),
    }))
    return (call, counter) => {
      if (!countsAsSent(call)) return
      for (const { read, edges } of fields) {
        const value = read(call)
        if (value === undefined) continue
        for (const { fits, place } of edges) if (fits(value)) counter.hit(place)
      }
    }
  },
}

/** The inputs that have limits. */
function limitedInputs(endpoint: Endpoint, values: Assumptions): (Input & { edges: Edge[] })[] {
  return inputsOf(endpoint, values)
    .map((input) => ({ ...input, edges: edgesOf(input.schema, values) }))
    .filter(({ edges }) => edges.length > 0)
}

function edgesOf(schema: z.ZodType, values: Assumptions): Edge[] {
  const keywords = keywordsOf(schema, values)
  const assumed = assumptionsOf(keywords)
  // A limit that an assumption sets has the section that leaves it open.
  const section = assumed[0] ? assumptionCatalogue[assumed[0]].section : 'Limits'
  const edges = [...numberEdges(keywords), ...lengthEdges(keywords), ...characterEdges(keywords)]
  if (assumed.includes('customers_page_size_cap')) edges.push(capEdge(values.customers_page_size_cap))
  return edges.map((bare) => ({ ...bare, section }))
}

type Bare = Omit<Edge, 'section'>
type Keywords = Readonly<Record<string, unknown>>

const edge = (name: string, says: string, example: Bare['example'], fits: Bare['fits']): Bare => ({
  name,
  says,
  example,
  fits,
})

function numberEdges(keywords: Keywords): Bare[] {
  const least = leastOf(keywords)
  const { maximum: most } = keywords
  const edges: Bare[] = []
  if (least !== undefined) {
    edges.push(
      edge(
        'minimum',
        `can be ${least}, the least that is allowed`,
        least,
        (sent) => integerIn(sent) === least,
      ),
      edge('below_minimum', `below ${least} is refused`, least - 1, (sent) => integerIn(sent) < least),
    )
  }
  if (typeof most === 'number') {
    edges.push(
      edge('maximum', `can be ${most}, the most that is allowed`, most, (sent) => integerIn(sent) === most),
      edge('above_maximum', `above ${most} is refused`, most + 1, (sent) => integerIn(sent) > most),
    )
  }
  return edges
}

/** An integer that is just not allowed, such as zero, leaves the next one as the least. */
function leastOf({ minimum, not }: Keywords): number | undefined {
  if (typeof minimum !== 'number') return undefined
  const excluded = isJsonObject(not) ? not['const'] : undefined
  return excluded === minimum ? minimum + 1 : minimum
}

/** More than a page ever holds: allowed where the contract sets no upper limit. */
function capEdge(cap: number): Bare {
  const says = `above ${cap} is allowed, but a page holds no more than ${cap}`
  return edge('above_page', says, cap + 1, (sent) => integerIn(sent) > cap)
}

function lengthEdges({ minLength: least, maxLength: most }: Keywords): Bare[] {
  const edges: Bare[] = []
  const text = (length: number): string => 'a'.repeat(length)
  if (typeof least === 'number') {
    const [fewest, fewer] = [
      `can have ${characters(least)}, the fewest that are allowed`,
      `with fewer than ${characters(least)} is refused`,
    ]
    edges.push(
      edge('minimum_length', fewest, text(least), (sent) => lengthOf(sent) === least),
      edge('below_minimum_length', fewer, text(least - 1), (sent) => lengthOf(sent) < least),
    )
  }
  if (typeof most === 'number') {
    const [longest, longer] = [
      `can have ${characters(most)}, the most that are allowed`,
      `with more than ${characters(most)} is refused`,
    ]
    edges.push(
      edge('maximum_length', longest, text(most), (sent) => lengthOf(sent) === most),
      edge('above_maximum_length', longer, text(most + 1), (sent) => lengthOf(sent) > most),
    )
  }
  return edges
}

function characterEdges({ pattern }: Keywords): Bare[] {
  const range = charactersOf(pattern)
  if (!range) return []
  const [lowest, highest] = range
  const [low, high] = [code(lowest), code(highest)]
  const around = (place: number): string => `a${String.fromCharCode(place)}b`
  const below = (sent: Sent): boolean => [...textOf(sent)].some((character) => character < lowest)
  const above = (sent: Sent): boolean => [...textOf(sent)].some((character) => character > highest)
  return [
    edge(
      'lowest_character',
      `can hold ${low}, the lowest character that is allowed`,
      around(lowest.charCodeAt(0)),
      (sent) => textOf(sent).includes(lowest),
    ),
    edge(
      'below_lowest_character',
      `with a character below ${low} is refused`,
      around(lowest.charCodeAt(0) - 1),
      below,
    ),
    edge(
      'highest_character',
      `can hold ${high}, the highest character that is allowed`,
      around(highest.charCodeAt(0)),
      (sent) => textOf(sent).includes(highest),
    ),
    edge(
      'above_highest_character',
      `with a character above ${high} is refused`,
      around(highest.charCodeAt(0) + 1),
      above,
    ),
  ]
}

function code(character: string): string {
  return `0x${character.charCodeAt(0).toString(16).toUpperCase()}`
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`
}

/** The integer that was sent, also as text in a query; what is none is at no edge. */
function integerIn(value: Sent): number {
  if (typeof value === 'number' && Number.isInteger(value)) return value
  return typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : Number.NaN
}

function lengthOf(value: Sent): number {
  return typeof value === 'string' ? value.length : Number.NaN
}

function textOf(value: Sent): string {
  return typeof value === 'string' ? value : ''
}
