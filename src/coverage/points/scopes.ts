// Contract points of scopes: the required scope of an endpoint, and the scope of fields (contract: Authentication 4-6).
import type { z } from 'zod'
import type { Assumptions } from '../../contract/assumptions.ts'
import { docs } from '../../contract/docs.ts'
import { isJsonObject } from '../../contract/formats.ts'
import { errorRow } from '../../contract/errors.ts'
import { fieldsIn } from '../../contract/schema-shape.ts'
import type { OmittingScope } from '../../contract/scopes.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { isOwnAnswer } from '../what-counts.ts'
import type { Draft, Facet, Watch } from './point.ts'
import { rowsIn, rowSchemaOf } from './result-rows.ts'
import { bodyOfSuccess } from './success-status.ts'

export const scopes: Facet = {
  points(endpoint, { values }) {
    const { scope, optionalScope } = endpoint
    const drafts: Draft[] = []
    if (scope !== undefined) {
      drafts.push(
        {
          name: `scope/${scope}/held`,
          sentence: `A key with ${scope} may call it.`,
          section: 'Authentication 5',
          recipe: { key: { has: scope } },
        },
        {
          name: `scope/${scope}/missing`,
          sentence: `A key without ${scope} is refused with ${errorRow('FORBIDDEN_ERROR').status}.`,
          section: 'Authentication 4',
          recipe: { key: { lacks: scope } },
        },
      )
    }
    const paths = protectedPaths(endpoint, values)
    if (optionalScope !== undefined && paths.length > 0) {
      const fields = paths.map((path) => path.join('.')).join(', ')
      const about = holderOf(paths)
      const name = `scope/${optionalScope}`
      const section = 'Authentication 6'
      const [shows, omits] = [
        `With ${optionalScope} the answer shows ${fields}.`,
        `Without ${optionalScope} the call succeeds, and the answer omits ${fields}.`,
      ]
      drafts.push(
        { name: `${name}/present`, sentence: shows, section, recipe: { key: { has: optionalScope }, about } },
        {
          name: `${name}/absent`,
          sentence: omits,
          section,
          recipe: { key: { lacks: optionalScope }, about },
        },
      )
    }
    return drafts
  },
  watch(endpoint, placeOf, { values }) {
    const { scope, optionalScope } = endpoint
    const watches: Watch[] = []
    if (scope !== undefined) {
      const [held, missing] = [placeOf(`scope/${scope}/held`), placeOf(`scope/${scope}/missing`)]
      watches.push((call, counter) => {
        if (call.resolution.permitted) counter.hit(held)
        // An injected error of this type does not depend on the key.
        else if (
          call.outcome.failure?.type === 'FORBIDDEN_ERROR' &&
          call.resolution.plan?.ending === undefined
        )
          counter.hit(missing)
      })
    }
    if (optionalScope !== undefined) {
      const [present, absent] = [
        placeOf(`scope/${optionalScope}/present`),
        placeOf(`scope/${optionalScope}/absent`),
      ]
      const holds = holderOf(protectedPaths(endpoint, values))
      watches.push((call, counter) => {
        if (call.result === undefined || !isOwnAnswer(call)) return
        // An answer without any protected field is the same with and without the scope.
        if (rowsIn(call.result).some((row) => isJsonObject(row) && holds(row)))
          counter.hit(call.resolution.scopes.includes(optionalScope) ? present : absent)
      })
    }
    return (call, counter) => {
      for (const watch of watches) watch(call, counter)
    }
  },
}

type Path = readonly string[]

/** The fields of a row that the optional scope of an endpoint protects, at any depth. */
function protectedPaths(endpoint: Endpoint, values: Assumptions): Path[] {
  const { optionalScope: scope } = endpoint
  const result = scope && bodyOfSuccess(endpoint, values)
  return result ? pathsIn(rowSchemaOf(result), scope) : []
}

function pathsIn(schema: z.ZodType, scope: OmittingScope): Path[] {
  return fieldsIn(schema).flatMap(({ name, schema: own }) => {
    if (docs.get(own)?.['x-requires-scope'] === scope) return [[name]]
    return pathsIn(own, scope).map((path) => [name, ...path])
  })
}

/** Returns a test of whether a row holds at least one of these fields. */
function holderOf(paths: readonly Path[]): (row: Readonly<Record<string, unknown>>) => boolean {
  return (row) =>
    paths.some((path) => {
      let value: unknown = row
      for (const name of path) value = isJsonObject(value) ? value[name] : undefined
      return value !== undefined
    })
}
