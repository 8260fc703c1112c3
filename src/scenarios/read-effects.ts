import type { z } from 'zod'
import { closest } from '../reading/closest.ts'
import { resolveAssumptions } from '../reading/resolve-assumptions.ts'
import { isJsonObject } from '../contract/formats.ts'
import { ruleOf } from '../contract/violations.ts'
import type { Endpoint } from '../endpoints/define.ts'
import { collectionNames, rowSchemas } from '../store/rows.ts'
import type { Effect } from './effect.ts'
import { effects } from './effects/index.ts'
import { refuseUnknownKeys, unknownName, type Report, type Targets } from './read-scenario.ts'
import { refuseTemplates } from './read-when.ts'
import type { ArmedEffect } from './scenario.ts'

type Path = (string | number)[]

const effectNames = effects.map((effect) => effect.name)

/** Reads the effect of a rule, or the list of them. */
export function readEffects(
  written: unknown,
  targets: Targets,
  offContract: boolean,
  path: Path,
  report: Report,
): ArmedEffect[] {
  if (written === undefined || (Array.isArray(written) && written.length === 0)) {
    report(path, `must be an effect, or a list of them: ${effectNames.join(', ')}`)
    return []
  }
  const list: unknown[] = Array.isArray(written) ? written : [written]
  return list
    .map((item, place) =>
      readEffect(item, targets, offContract, Array.isArray(written) ? [...path, place] : path, report),
    )
    .filter((effect) => effect !== undefined)
}

function readEffect(
  written: unknown,
  targets: Targets,
  offContract: boolean,
  path: Path,
  report: Report,
): ArmedEffect | undefined {
  const named =
    typeof written === 'string' ? bareEffect(written, path, report) : writtenEffect(written, path, report)
  if (!named) return undefined
  const { effect, value, beside, at } = named
  const result = effect.schema.safeParse(value, { reportInput: true })
  if (!result.success) {
    for (const issue of result.error.issues) tell(issue, effect.noun ?? 'value', at, report)
    return undefined
  }
  if (!offContract) refuseMisfits(effect, result.data, targets, at, report)
  if (effect.name === 'change') checkChange(result.data, targets, at, report)
  refuseTemplates(value, at, report)
  refuseTemplates(beside, path, report)
  return { effect, value: result.data, beside }
}

/** Says what is wrong with a value at its own place, with what a mistyped word may have been meant to be. */
function tell(issue: z.core.$ZodIssue, noun: string, from: Path, report: Report): void {
  const path = [...from, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))]
  if (issue.code === 'unrecognized_keys') {
    // Zod does not say which keys there are; the one map with a fixed set of them is that of the collections.
    for (const key of issue.keys) {
      const about = noun === 'collection' ? unknownName(noun, key, collectionNames) : `unknown key '${key}'`
      report([...path, key], about, 'key')
    }
    return
  }
  if (issue.code === 'invalid_key') {
    for (const inner of issue.issues) {
      report(path, wordOf(inner, issue.path.at(-1), noun) ?? ruleOf(inner), 'key')
    }
    return
  }
  if (issue.code === 'invalid_union') {
    // The alternative that was meant is the one in which something inside is wrong.
    const meant = issue.errors.find((issues) => issues.some((inner) => inner.path.length > 0))
    if (meant) {
      for (const inner of meant) tell(inner, noun, path, report)
      return
    }
  }
  report(path, wordOf(issue, issue.input, noun) ?? ruleOf(issue))
}

/** "unknown scope 'ACOUNT_READ', did you mean 'ACCOUNT_READ'?", where a word is near enough. */
function wordOf(issue: z.core.$ZodIssue, input: unknown, noun: string): string | undefined {
  if (typeof input !== 'string' || closest(input, wordsOf(issue)) === undefined) return undefined
  return unknownName(noun, input, wordsOf(issue))
}

function wordsOf(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'invalid_value') return issue.values.map(String)
  return issue.code === 'invalid_union' ? issue.errors.flat().flatMap(wordsOf) : []
}

interface NamedEffect {
  effect: Effect
  value: unknown
  beside: Record<string, unknown>
  /** Where its value stands. */
  at: Path
}

function bareEffect(name: string, path: Path, report: Report): NamedEffect | undefined {
  const effect = effects.find((candidate) => candidate.name === name)
  if (!effect) return void report(path, unknownName('effect', name, effectNames))
  if (effect.bare === undefined) return void report(path, `needs a value, as in {${name}: …}: ${effect.help}`)
  return { effect, value: effect.bare, beside: {}, at: path }
}

function writtenEffect(written: unknown, path: Path, report: Report): NamedEffect | undefined {
  if (!isJsonObject(written)) return void report(path, `must be an effect: ${effectNames.join(', ')}`)
  const named = Object.keys(written).filter((key) => effectNames.includes(key))
  const [name] = named
  if (name === undefined) {
    const first = Object.keys(written)[0]
    if (first === undefined) return void report(path, `must name an effect: ${effectNames.join(', ')}`)
    return void report([...path, first], unknownName('effect', first, effectNames), 'key')
  }
  if (named.length > 1) {
    return void report(path, `has several effects (${named.join(', ')}): write them as a list`)
  }
  const effect = effects.find((candidate) => candidate.name === name)
  if (!effect) return undefined
  refuseUnknownKeys(written, [name, ...Object.keys(effect.beside ?? {})], path, report)
  const beside: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries(effect.beside ?? {})) {
    if (written[key] === undefined) continue
    const result = schema.safeParse(written[key])
    if (result.success) beside[key] = result.data
    else report([...path, key], result.error.issues[0]?.message ?? 'is not valid')
  }
  return { effect, value: written[name], beside, at: [...path, name] }
}

/** An effect that does nothing for an operation makes a rule that can never fire. */
function refuseMisfits(effect: Effect, value: unknown, targets: Targets, path: Path, report: Report): void {
  const misfits = targets.endpoints.map((endpoint) => effect.misfit?.(value, endpoint))
  const found = misfits.filter((misfit) => misfit !== undefined)
  if (found.length === 0) return
  // "*" means every operation that the effect can do something for; one such is enough.
  if (targets.all && found.length < misfits.length) return
  for (const misfit of targets.all ? found.slice(0, 1) : found) report(path, misfit)
}

/** Rows of known collections with known fields, and references to values that the calls have. */
function checkChange(value: unknown, targets: Targets, path: Path, report: Report): void {
  if (!isJsonObject(value)) return
  for (const collection of collectionNames) {
    const rows = value[collection]
    if (!isJsonObject(rows)) continue
    for (const [id, row] of Object.entries(rows)) {
      const at = [...path, collection, id]
      checkReference(id, targets, at, report, 'key')
      if (row === null) continue
      if (!isJsonObject(row)) {
        report(at, 'must be an object of fields to change, or null to delete the row')
        continue
      }
      const fields = Object.keys(rowSchemas[collection].shape)
      refuseUnknownKeys(row, fields, at, report)
      for (const [field, inner] of Object.entries(row)) {
        if (!checkReferences(inner, targets, [...at, field], report)) {
          checkField(rowSchemas[collection].shape, field, inner, at, report)
        }
      }
    }
  }
}

/** A value that no row can have would make a change that never takes place. */
function checkField(
  fields: Readonly<Record<string, unknown>>,
  field: string,
  value: unknown,
  path: Path,
  report: Report,
): void {
  const schema = Object.hasOwn(fields, field) ? (fields[field] as z.ZodType) : undefined
  // An object is laid over the one that is there, so only the row as a whole can be checked then.
  if (!schema || value === null || isJsonObject(value)) return
  const result = schema.safeParse(value, { reportInput: true })
  for (const issue of result.error?.issues ?? []) tell(issue, 'value', [...path, field], report)
}

/** Looks for `$name` anywhere in a value; true when there is one. */
function checkReferences(value: unknown, targets: Targets, path: Path, report: Report): boolean {
  if (typeof value === 'string') {
    checkReference(value, targets, path, report, 'value')
    return value.startsWith('$')
  }
  const inner = Array.isArray(value) ? [...value.entries()] : isJsonObject(value) ? Object.entries(value) : []
  return inner
    .map(([key, item]) => checkReferences(item, targets, [...path, key], report))
    .some((isReference) => isReference)
}

function checkReference(
  text: string,
  targets: Targets,
  path: Path,
  report: Report,
  at: 'key' | 'value',
): void {
  if (!text.startsWith('$')) return
  const name = text.slice(1)
  for (const endpoint of targets.endpoints) {
    const known = valueNames(endpoint)
    if (known.includes(name)) continue
    if (targets.all) continue
    report(path, `${endpoint.id} has no ${unknownName('value', name, known).replace(/^unknown /, '')}`, at)
  }
}

/** What `$name` can stand for in a call: its path parameters and the fields of its body. */
function valueNames(endpoint: Endpoint): string[] {
  const body = endpoint.body?.(resolveAssumptions())
  return [...Object.keys(endpoint.params), ...Object.keys(body?.shape ?? {})]
}
