// Parses the effects of a rule: their names, their values, and their other fields.
import { isEventType } from '../contract/event-types.ts'
import { isJsonObject } from '../contract/formats.ts'
import type { Effect, Targets } from './effect.ts'
import { effects } from './effects/index.ts'
import { refuseTemplates } from './refuse-code.ts'
import { readPart, refuseUnknownKeys, unknownName, within, type Report } from './report.ts'
import { ruleSchema } from './scenario-schema.ts'
import type { ArmedEffect } from './scenario.ts'

const byName: ReadonlyMap<string, Effect> = new Map(effects.map((effect) => [effect.name, effect]))
const names = [...byName.keys()]

/** Parses the effect of a rule, or the list of them. */
export function readEffects(written: unknown, targets: Targets, report: Report): ArmedEffect[] {
  if (Array.isArray(written) && written.length === 0) {
    readPart(ruleSchema.shape.effect, written, report)
    return []
  }
  const read: ArmedEffect[] = []
  for (const [place, item] of [written].flat().entries()) {
    const effect = readEffect(item, targets, Array.isArray(written) ? within([place], report) : report)
    if (effect) read.push(effect)
  }
  return read
}

/**
 * Whether the effects of a rule are for events: one of them is. If all are unknown, its targets decide.
 * @param on the targets.
 */
export function isForEvents(written: unknown, on: unknown): boolean {
  const found = [written].flat().flatMap((item) => {
    const keys = isJsonObject(item) ? Object.keys(item) : [String(item)]
    return keys.flatMap((key) => byName.get(key) ?? [])
  })
  if (found.length > 0) return found.some(isEventEffect)
  return [on].flat().some((name) => typeof name === 'string' && isEventType(name))
}

const isEventEffect = ({ applyToEvent }: Effect): boolean => applyToEvent !== undefined

function readEffect(written: unknown, targets: Targets, report: Report): ArmedEffect | undefined {
  const effect = effectOf(written, report)
  if (!effect) return undefined
  if (targets.isForEvents && !isEventEffect(effect))
    return void report([], `${effect.name} is for calls, and the rule is for events: write two rules`)
  const { name, schema, extra: schemas = {} } = effect
  const fields = isJsonObject(written) ? written : { [name]: effect.bare }
  refuseUnknownKeys(fields, [name, ...Object.keys(schemas)], report)
  const extra: Record<string, unknown> = {}
  for (const [key, extraSchema] of Object.entries(schemas)) {
    if (fields[key] !== undefined) extra[key] = readPart(extraSchema, fields[key], within([key], report))
  }
  const reportValue = isJsonObject(written) ? within([name], report) : report
  const value = readPart(schema, fields[name], reportValue, effect)
  if (value === undefined) return undefined
  if (!targets.offContract) refuseMisfits(effect, value, targets, reportValue)
  effect.check?.(value, targets, reportValue)
  refuseTemplates(fields[name], reportValue)
  refuseTemplates(extra, report)
  return { effect, value, extra }
}

function effectOf(written: unknown, report: Report): Effect | undefined {
  if (typeof written === 'string') {
    const effect = byName.get(written)
    if (!effect) return void report([], unknownName('effect', written, names))
    if (effect.bare !== undefined) return effect
    return void report([], `needs a value, as in {${written}: …}: ${effect.help}`)
  }
  if (!isJsonObject(written)) return void report([], `must be an effect: ${names.join(', ')}`)
  const keys = Object.keys(written)
  const [name, ...others] = keys.filter((key) => byName.has(key))
  if (name === undefined) {
    const [first] = keys
    if (first === undefined) return void report([], `must name an effect: ${names.join(', ')}`)
    return void report([first], unknownName('effect', first, names), 'key')
  }
  if (others.length === 0) return byName.get(name)
  return void report([], `has several effects (${[name, ...others].join(', ')}): write them as a list`)
}

/** An effect that can never act on an operation makes a rule that can never fire. */
function refuseMisfits(effect: Effect, value: unknown, { endpoints, all }: Targets, report: Report): void {
  const found = endpoints
    .map((endpoint) => effect.misfit?.(value, endpoint))
    .filter((misfit) => misfit !== undefined)
  // "*" means every operation on which the effect can act; one such operation is enough.
  if (all && found.length < endpoints.length) return
  for (const misfit of all ? found.slice(0, 1) : found) report([], misfit)
}
