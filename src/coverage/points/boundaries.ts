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
  /** The text after the name of the field in the sentence. */
  says: string
  section: string
  /** A value at this edge. */
  example: string | number
  /** Whether a value is at this edge. An edge beyond a limit matches every value beyond it. */
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

/** Returns the inputs that have limits. */
function limitedInputs(endpoint: Endpoint, values: Assumptions): (Input & { edges: Edge[] })[] {
  return inputsOf(endpoint, values)
    .map((input) => ({ ...input, edges: edgesOf(input.schema, values) }))
    .filter(({ edges }) => edges.length > 0)
}

function edgesOf(schema: z.ZodType, values: Assumptions): Edge[] {
  const keywords = keywordsOf(schema, values)
  const assumed = assumptionsOf(keywords)
  // A limit that an assumption sets belongs to the section that leaves it open.
  const section = assumed[0] ? assumptionCatalogue[assumed[0]].section : 'Limits'
  const edges = [...numberEdges(keywords), ...lengthEdges(keywords), ...characterEdges(keywords)]
  if (assumed.includes('customers_page_size_cap')) edges.push(capEdge(values.customers_page_size_cap))
  return edges.map((bare) => ({ ...bare, section }))
}

type Bare = Omit<Edge, 'section'>
type Keywords = Readonly<Record<string, unknown>>

/** Creates edges that compare a quantity read from the sent value. */
const edgesBy =
  <V>(read: (sent: Sent) => V) =>
  (name: string, says: string, example: Bare['example'], fits: (value: V) => boolean): Bare => ({
    name,
    says,
    example,
    fits: (sent) => fits(read(sent)),
  })

/** The sent integer, also as text in a query. Any other value is NaN, which is at no edge. */
const integer = edgesBy((sent) => {
  if (typeof sent === 'number' && Number.isInteger(sent)) return sent
  return typeof sent === 'string' && /^-?\d+$/.test(sent) ? Number(sent) : Number.NaN
})
const length = edgesBy((sent) => (typeof sent === 'string' ? sent.length : Number.NaN))
const character = edgesBy((sent) => (typeof sent === 'string' ? sent : ''))

function numberEdges(keywords: Keywords): Bare[] {
  const least = minOf(keywords)
  const { maximum: most } = keywords
  const edges: Bare[] = []
  if (least !== undefined) {
    edges.push(
      integer('minimum', `can be ${least}, the minimum`, least, (sent) => sent === least),
      integer('below_minimum', `below ${least} is refused`, least - 1, (sent) => sent < least),
    )
  }
  if (typeof most === 'number') {
    edges.push(
      integer('maximum', `can be ${most}, the maximum`, most, (sent) => sent === most),
      integer('above_maximum', `above ${most} is refused`, most + 1, (sent) => sent > most),
    )
  }
  return edges
}

/** If the minimum itself is excluded, such as zero, the next integer is the smallest allowed value. */
function minOf({ minimum, not }: Keywords): number | undefined {
  if (typeof minimum !== 'number') return undefined
  const excluded = isJsonObject(not) ? not['const'] : undefined
  return excluded === minimum ? minimum + 1 : minimum
}

/** A size above the page cap: it is allowed where the contract sets no upper limit. */
function capEdge(cap: number): Bare {
  const says = `above ${cap} is allowed, but a page holds no more than ${cap}`
  return integer('above_page', says, cap + 1, (sent) => sent > cap)
}

function lengthEdges({ minLength: least, maxLength: most }: Keywords): Bare[] {
  const edges: Bare[] = []
  const text = (size: number): string => 'a'.repeat(size)
  const count = (size: number): string => (size === 1 ? '1 character' : `${size} characters`)
  if (typeof least === 'number') {
    const [can, not] = [`can have ${count(least)}, the minimum`, `with fewer than ${count(least)} is refused`]
    edges.push(
      length('minimum_length', can, text(least), (sent) => sent === least),
      length('below_minimum_length', not, text(least - 1), (sent) => sent < least),
    )
  }
  if (typeof most === 'number') {
    const [can, not] = [`can have ${count(most)}, the maximum`, `with more than ${count(most)} is refused`]
    edges.push(
      length('maximum_length', can, text(most), (sent) => sent === most),
      length('above_maximum_length', not, text(most + 1), (sent) => sent > most),
    )
  }
  return edges
}

/**
 * Whether a text holds a matching code unit. It avoids a list of the characters, which would add 1 µs to each search.
 */
function hasUnit(text: string, isWanted: (unit: number) => boolean): boolean {
  for (let at = 0; at < text.length; at++) if (isWanted(text.charCodeAt(at))) return true
  return false
}

function characterEdges({ pattern }: Keywords): Bare[] {
  const range = charactersOf(pattern)
  if (!range) return []
  return range.flatMap((last, place) => {
    const [side, beyond, step] = place === 0 ? ['lowest', 'below', -1] : ['highest', 'above', 1]
    const code = last.charCodeAt(0)
    const shown = `0x${code.toString(16).toUpperCase()}`
    const around = (at: number): string => `a${String.fromCharCode(at)}b`
    const isBeyond = (unit: number): boolean => (step < 0 ? unit < code : unit > code)
    const can = `can hold ${shown}, the ${side} character that is allowed`
    const not = `with a character ${beyond} ${shown} is refused`
    return [
      character(`${side}_character`, can, around(code), (sent) => sent.includes(last)),
      character(`${beyond}_${side}_character`, not, around(code + step), (sent) => hasUnit(sent, isBeyond)),
    ]
  })
}
