// Writes a call as a test for the vitest kit, which asserts the status and body that were answered.
import type { ContractPoint } from '../../../coverage/points/point.ts'
import type { ExplainedEntry } from '../../../operations/workspace-requests.ts'
import { scenarioOf } from './as-scenario.ts'
import { fetchOptions } from './fetch-options.ts'
import { literal, quotedText } from './javascript.ts'
import { factOf, sentAgain } from './sent-again.ts'

/** The key that the kit sends by itself. */
const usualKey = 'key_full'

/** A file of one test. @param points those of `GET /contract`. */
export function asVitestTest(entry: ExplainedEntry, points: readonly ContractPoint[]): string {
  const { method, path, operation, status } = entry
  const outcome = entry.outcome === 'fault' ? 'loses the connection' : `is answered ${status}`
  return [
    "import { expect, test } from 'partner-rewards-sandbox/vitest'",
    '',
    `test(${quotedText(`${operation ?? `${method} ${path}`} ${outcome}`)}, async ({ workspace }) => {`,
    ...arranged(entry, points),
    ...asserted(entry),
    '})',
    '',
  ].join('\n')
}

/** An answer of a scenario is made again by one that gives it at the first call already. */
function arranged(entry: ExplainedEntry, points: readonly ContractPoint[]): string[] {
  if (entry.scenario_rules.length === 0) return []
  const made = scenarioOf(entry, points)
  if (!('scenario' in made)) return [`  // ${made.whyNot}`]
  return [
    `  await workspace.scenarios.register(${literal(made.scenario, 2)})`,
    `  await workspace.scenarios.activate(${quotedText(made.scenario.name)})`,
  ]
}

function asserted(entry: ExplainedEntry): string[] {
  const call = sentAgain(entry)
  // The scenarios that it named have been armed.
  const headers = call.headers.filter(
    ([name]) => name !== 'x-sandbox-scenario' || entry.scenario_rules.length === 0,
  )
  const options = fetchOptions({ ...call, headers }, authorizationOf(entry, call.credential), 2)
  const arguments_ = [quotedText(call.target), ...(options === undefined ? [] : [options])].join(', ')
  if (isSpoilt(entry)) {
    return [
      `  const answer = workspace.fetch(${arguments_})`,
      '  await expect(answer.then((response) => response.json())).rejects.toThrow()',
    ]
  }
  return [
    `  const response = await workspace.fetch(${arguments_})`,
    `  expect(response.status).toBe(${entry.status})`,
    `  ${bodyAsserted(entry)}`,
  ]
}

/** Whether there is no answer that could be read to its end. */
function isSpoilt(entry: ExplainedEntry): boolean {
  return entry.outcome === 'fault' && !String(factOf(entry, 'connection', 'fault')?.value).startsWith('drip')
}

function bodyAsserted(entry: ExplainedEntry): string {
  const { body, body_bytes: bytes } = entry.response
  if (body === null) return "expect(await response.text()).toBe('')"
  if (bytes !== undefined) return '// The journal keeps only the beginning of the body.'
  if (typeof body === 'string') return `expect(await response.text()).toBe(${quotedText(body)})`
  const expected = literal(body, 2, (value, name) => anyText(value, name, entry))
  return `expect(await response.json()).toEqual(${expected})`
}

/** What differs from run to run, or is hidden. */
function anyText(value: unknown, name: string, { at, changes }: ExplainedEntry): string | undefined {
  if (typeof value !== 'string') return undefined
  const isNew = changes.some(({ id, before }) => before === undefined && id === value)
  // The instant of the call, and not one of the rows.
  const isNow = /^\d{4}-\d\d-\d\dT/.test(value) && Math.abs(Date.parse(value) - Date.parse(at)) < 60_000
  const isBound = name === 'pdf_url' || name === 'next_page_token'
  return isNew || isNow || isBound || value.includes('***') ? 'expect.any(String)' : undefined
}

/** The header as JavaScript, where it is not the one that the kit sends. */
function authorizationOf(
  entry: ExplainedEntry,
  credential: 'basic' | 'bearer' | undefined,
): string | undefined {
  if (credential === undefined) return "''"
  const problem = factOf(entry, 'key', 'problem')?.value
  if (problem !== undefined) return problem === 'malformed' ? "'malformed'" : "'Bearer sk_nobody'"
  if (entry.key_id === usualKey || entry.key_id === null) return undefined
  const row = `workspace.state.get('api_keys', ${quotedText(entry.key_id)})`
  return `\`Bearer \${${row}?.api_key}\``
}
