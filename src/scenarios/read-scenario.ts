import { didYouMean } from '../reading/did-you-mean.ts'
import { isJsonObject } from '../contract/formats.ts'
import { endpoints } from '../endpoints/index.ts'
import type { Endpoint } from '../endpoints/define.ts'
import { DocumentError, type Problem } from '../reading/problems.ts'
import { problemAt, type Source } from '../reading/source-file.ts'
import { callsRule, everyCall, readCalls, type Calls } from './calls.ts'
import { readEffects } from './read-effects.ts'
import { readWhen } from './read-when.ts'
import { scenarioName, type Rule, type Scenario } from './scenario.ts'

type Path = (string | number)[]

/** Tells what is wrong at a place of the document. */
export type Report = (path: Path, message: string, at?: 'key' | 'value') => void

const scenarioKeys = ['$schema', 'name', 'description', 'rules']
const ruleKeys = ['on', 'when', 'calls', 'effect', 'off_contract']

/**
 * Reads a scenario and checks that every rule of it can fire (design: Scenario files). Scenarios are data: no code,
 * no templates, no regular expressions.
 *
 * @throws {DocumentError} with every problem, each at its line and column.
 */
export function readScenario(source: Source): Scenario {
  const problems: Problem[] = []
  const report: Report = (path, message, at) => problems.push(problemAt(source, path, message, at))
  const scenario = scenarioOf(source, report)
  if (problems.length > 0 || !scenario) throw new DocumentError(problems)
  return scenario
}

function scenarioOf(source: Source, report: Report): Scenario | undefined {
  const document = source.value
  if (!isJsonObject(document)) return void report([], 'must be an object with name, description and rules')
  refuseUnknownKeys(document, scenarioKeys, [], report)
  const { name, description, rules } = document
  if (typeof name !== 'string' || !scenarioName.test(name)) {
    report(['name'], 'must be 1 to 64 of a-z, 0-9 and -, such as reward-vanishes')
  }
  if (typeof description !== 'string' || description.trim() === '') {
    report(['description'], 'must say in one line what the scenario does')
  }
  if (!Array.isArray(rules) || rules.length === 0) {
    return void report(['rules'], 'must be a list with at least one rule')
  }
  const read = rules.map((rule: unknown, place) =>
    ruleOf(rule, `${String(name)}#${place + 1}`, ['rules', place], report),
  )
  return {
    name: String(name),
    description: String(description).trim(),
    rules: read.filter((rule) => rule !== undefined),
    source: source.name,
    document,
  }
}

function ruleOf(rule: unknown, id: string, path: Path, report: Report): Rule | undefined {
  if (!isJsonObject(rule)) return void report(path, 'must be an object with on and effect')
  refuseUnknownKeys(rule, ruleKeys, path, report)
  const offContract = rule['off_contract'] ?? false
  if (typeof offContract !== 'boolean') report([...path, 'off_contract'], 'must be true or false')
  const targets = targetsOf(rule['on'], [...path, 'on'], report)
  return {
    id,
    operations: new Set(targets.endpoints.map((endpoint) => endpoint.id)),
    when: readWhen(rule['when'], targets, [...path, 'when'], report),
    calls: callsOf(rule['calls'], [...path, 'calls'], report),
    effects: readEffects(rule['effect'], targets, offContract === true, [...path, 'effect'], report),
    offContract: offContract === true,
  }
}

/** The operations that a rule is for; `all` when it said "*". */
export interface Targets {
  endpoints: readonly Endpoint[]
  all: boolean
}

function targetsOf(on: unknown, path: Path, report: Report): Targets {
  if (on === '*') return { endpoints, all: true }
  const names: unknown[] = Array.isArray(on) ? on : [on]
  if (on === undefined || names.length === 0) {
    report(path, 'must be an operation id, a list of them, or "*"')
    return { endpoints: [], all: false }
  }
  const found = names.map((name, place) => {
    const endpoint = endpoints.find((candidate) => candidate.id === name)
    if (!endpoint)
      report(Array.isArray(on) ? [...path, place] : path, unknownName('operation', name, operationIds))
    return endpoint
  })
  return { endpoints: found.filter((endpoint) => endpoint !== undefined), all: false }
}

const operationIds = endpoints.map((endpoint) => endpoint.id)

function callsOf(calls: unknown, path: Path, report: Report): Calls {
  if (calls === undefined) return everyCall
  const read = typeof calls === 'string' || typeof calls === 'number' ? readCalls(String(calls)) : undefined
  if (!read) report(path, callsRule)
  return read ?? everyCall
}

/** Reports keys that nothing reads, each with what it may have been meant to be. */
export function refuseUnknownKeys(
  object: Readonly<Record<string, unknown>>,
  known: readonly string[],
  path: Path,
  report: Report,
): void {
  for (const key of Object.keys(object)) {
    if (!known.includes(key)) report([...path, key], unknownName('key', key, known), 'key')
  }
}

/** "unknown effect 'notfound', did you mean 'not_found'?" */
export function unknownName(kind: string, name: unknown, known: readonly string[]): string {
  const text = typeof name === 'string' ? name : JSON.stringify(name)
  const hint = didYouMean(typeof name === 'string' ? name : '', known)
  return `unknown ${kind} '${String(text).slice(0, 80)}'${hint}`
}
