// Parses a scenario file and refuses rules that could never fire, each problem at its line and column.
import { eventTypeNames, type EventType } from '../contract/event-types.ts'
import { isJsonObject } from '../contract/formats.ts'
import { latestVersion, versionHeader } from '../contract/versions.ts'
import { allEndpoints as endpoints } from '../endpoints/index.ts'
import { ProblemList } from '../input/problem-list.ts'
import { withoutPassedOver, type Source } from '../input/source-file.ts'
import { everyCall } from './calls.ts'
import type { Targets } from './effect.ts'
import { isForEvents, readEffects } from './read-effects.ts'
import { fieldsOf, readPart, unknownName, within, type Report } from './report.ts'
import {
  conditionSchema,
  eventTargets,
  fileSchema,
  operationTargets,
  ruleSchema,
  type When,
} from './scenario-schema.ts'
import type { ArmedEffect, Rule, Scenario } from './scenario.ts'

/**
 * Parses a scenario and checks that every rule of it can fire (design: Scenario files). Scenarios are data: no code, no
 * templates, no regular expressions.
 *
 * @throws {DocumentError} with its problems, each at its line and column.
 */
export function readScenario(source: Source): Scenario {
  const problems = new ProblemList()
  const report: Report = (path, message, at) => problems.add({ source, path, message, at })
  const scenario = scenarioOf(source, report)
  if (problems.size > 0 || !scenario) throw problems.error()
  return scenario
}

function scenarioOf({ name: source, value: document }: Source, report: Report): Scenario | undefined {
  const read = fieldsOf(fileSchema, withoutPassedOver(document), report)
  if (!read || !isJsonObject(document)) return undefined
  const name = read('name') ?? ''
  const description = read('description') ?? ''
  const { rules: written } = document
  if (!Array.isArray(written) || written.length === 0) return void read('rules')
  const rules: Rule[] = []
  for (const [place, rule] of written.entries()) {
    const made = ruleOf(rule, `${name}#${place + 1}`, within(['rules', place], report))
    if (made) rules.push(made)
  }
  return {
    name,
    description: description.trim(),
    rules,
    needsLatest: rules.some(needsLatest),
    source,
    document,
  }
}

function needsLatest({ effects, when }: Rule): boolean {
  const requested = Object.entries(when.headers ?? {}).find(
    ([header]) => header.toLowerCase() === versionHeader,
  )
  if (requested?.[1] === latestVersion) return true
  return effects.some(({ effect, value }) => effect.needsLatest?.(value) === true)
}

function ruleOf(rule: unknown, id: string, report: Report): Rule | undefined {
  const read = fieldsOf(ruleSchema, rule, report)
  if (!read || !isJsonObject(rule)) return undefined
  // A key without a value is like an omitted key.
  const offContract = rule['off_contract'] === null ? false : (read('off_contract') ?? false)
  const { on } = rule
  const forEvents = isForEvents(rule['effect'], on)
  if (on === undefined) read('on')
  else readPart(forEvents ? eventTargets : operationTargets, on, within(['on'], report))
  const targets = forEvents ? { ...noEndpoints, offContract } : { ...targetsOf(on), offContract }
  if (forEvents) refuseForEvents(rule, report)
  const effectsOf = (written: unknown): ArmedEffect[] => {
    if (written !== undefined) return readEffects(written, targets, within(['effect'], report))
    read('effect')
    return []
  }
  return {
    id,
    operations: new Set(targets.endpoints.map((endpoint) => endpoint.id)),
    events: new Set(forEvents ? typesOf(on) : []),
    when:
      rule['when'] === undefined || forEvents ? {} : whenOf(rule['when'], targets, within(['when'], report)),
    calls: read('calls') ?? everyCall,
    effects: effectsOf(rule['effect']),
    offContract,
  }
}

const noEndpoints = { isForEvents: true, endpoints: [], all: false }

/** The event types of a rule. */
function typesOf(on: unknown): readonly EventType[] {
  const names: unknown[] = [on].flat()
  return on === '*' ? eventTypeNames : eventTypeNames.filter((type) => names.includes(type))
}

/** Refuses the keys that make sense for calls only. */
function refuseForEvents(rule: Readonly<Record<string, unknown>>, report: Report): void {
  const refuse = (key: string, why: string): void => {
    if (rule[key] !== undefined && rule[key] !== null) report([key], `must be omitted: ${why}`, 'key')
  }
  refuse('when', 'its conditions are about calls, and a rule for events counts every event of its types')
  refuse('off_contract', 'the contract shows no events')
}

/**
 * The valid operations among the names, so that other problems of the rule are reported together with an unknown name.
 */
function targetsOf(on: unknown): Omit<Targets, 'offContract'> {
  if (on === '*') return { isForEvents: false, endpoints, all: true }
  const names: unknown[] = [on].flat()
  const named = names.flatMap((name) => endpoints.filter(({ id }) => id === name))
  return { isForEvents: false, endpoints: named, all: false }
}

const headerOfSandbox =
  'must be no header of the sandbox, which the service does not know: activate the scenario in the workspace of the test'

/**
 * Parses the conditions of a rule. It refuses a parameter that an operation of the rule lacks (for "*": that all lack),
 * as the condition could never match.
 */
function whenOf(when: unknown, targets: Targets, report: Report): When {
  const read = fieldsOf(conditionSchema, when, report)
  if (!read || !isJsonObject(when)) return {}
  const params = read('params')
  requireNames('params', 'path parameter', when['params'])
  const query = read('query')
  requireNames('query', 'query parameter', when['query'])
  const headers = read('headers')
  // A rule that reads the name of the test would act on no call of a program in production.
  for (const name of Object.keys(headers ?? {}))
    if (/^x-sandbox-/i.test(name)) report(['headers', name], headerOfSandbox, 'key')
  const body = read('body')
  if (when['body'] !== undefined && !targets.all) {
    const without = targets.endpoints.find((endpoint) => endpoint.body === undefined)
    if (without) report(['body'], `can never match ${without.id}, which takes no body`, 'key')
  }
  return { params, query, headers, body, key: read('key'), product: read('product') }

  function requireNames(part: 'params' | 'query', kind: string, patterns: unknown): void {
    const known = [...new Set(targets.endpoints.flatMap((endpoint) => Object.keys(endpoint[part])))]
    for (const name of isJsonObject(patterns) ? Object.keys(patterns) : []) {
      const lacking = targets.endpoints.find((endpoint) => !Object.hasOwn(endpoint[part], name))
      if (!known.includes(name)) {
        if (targets.endpoints.length > 0) report([part, name], unknownName(kind, name, known), 'key')
      } else if (lacking && !targets.all) {
        report([part, name], `can never match ${lacking.id}, which has no ${kind} '${name}'`, 'key')
      }
    }
  }
}
