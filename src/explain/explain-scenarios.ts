// Explains the result of every rule of the scenarios that were active for the call.
import { callsText } from '../scenarios/calls.ts'
import { fitsGlob } from '../scenarios/glob.ts'
import type { ScenarioSource, Verdict } from '../scenarios/plan.ts'
import type { Rule } from '../scenarios/scenario.ts'
import {
  differencesOf,
  hiddenDifference,
  type Difference,
  type RequestMatcher,
} from '../journal/differences.ts'
import type { Call } from '../call/index.ts'
import type { Redactor } from '../secrets/redact.ts'
import type { ExplanationContext } from './explanation-context.ts'
import { fact, type ExplanationFact, type Part } from './explanation.ts'
import { listed, quoted, jsonText } from './quoted-values.ts'

export function explainScenarios(call: Call, context: ExplanationContext, hide: Redactor): Part {
  const { endpoint } = call.request
  const { scenarios, plan, product } = call.resolution
  if (!product || !endpoint) return {}
  if (!scenarios || scenarios.length === 0) {
    return { section: { about: 'scenarios', facts: [fact('active', [])] } }
  }
  const names = scenarios.map(({ name }) => name)
  const facts = [fact('active', names)]
  for (const rule of scenarios.flatMap(({ rules }) => rules)) {
    const verdict = plan?.verdicts.find((one) => one.rule === rule)
    facts.push(verdict ? verdictFact(verdict, call, context, hide) : otherOperation(rule, endpoint.id))
  }
  if (plan?.endedBy) facts.push(fact('ended_by', plan.endedBy.id))
  if (plan && plan.latency > 0) facts.push(fact('waited_ms', plan.latency))
  if (plan && plan.undone.length > 0) facts.push(fact('not_done', [...plan.undone]))
  if (plan?.offContract) facts.push(fact('off_contract', true, 'the contract allows no such answer'))
  return {
    section: { about: 'scenarios', facts },
    reason: plan?.endedBy && endingReason(call, plan.endedBy, hide),
  }
}

function otherOperation(rule: Rule, operation: string): ExplanationFact {
  if (rule.events.size > 0) return fact(rule.id, 'did not apply', 'it is for events, not for answers')
  const operations = [...rule.operations]
  return fact(rule.id, 'did not apply', `it is for ${listed(operations)}, not for ${operation}`)
}

/** The scope of the counter of a rule. */
const countedSince: Readonly<Record<ScenarioSource, string>> = {
  switch: 'since the scenario was switched on',
  header: 'with x-sandbox-scenario since the last reset',
  key: 'with this API key since the last reset',
}

/** @example callsPhrase(rule)   // 'calls "2.."', '10% of the calls, chosen by the seed' */
function callsPhrase({ calls }: Rule): string {
  const text = callsText(calls)
  return 'percent' in calls ? `${text} of the calls, chosen by the seed` : `calls "${text}"`
}

function verdictFact(
  verdict: Verdict,
  call: Call,
  context: ExplanationContext,
  hide: Redactor,
): ExplanationFact {
  const { rule } = verdict
  if (verdict.misfit !== undefined) {
    return fact(rule.id, 'did not fit', misfits(verdict, call, context, hide).join('; '))
  }
  const calls = callsPhrase(rule)
  const counted = `call ${verdict.call} ${countedSince[verdict.source]}`
  return verdict.acted
    ? fact(rule.id, 'acted', `${counted}, of ${calls}: ${effectsText(rule, hide)}`)
    : fact(rule.id, 'did not act', `it was ${counted}, and the rule applies to ${calls}`)
}

/** Every condition of a rule that the call does not meet, as far as the journal still has it. */
function misfits(
  { rule, misfit }: Extract<Verdict, { misfit: string }>,
  call: Call,
  context: ExplanationContext,
  hide: Redactor,
): string[] {
  const { key, product } = call.resolution
  const { key: ofKey, product: ofProduct } = rule.when
  const differs: Difference[] = differencesOf(asMatcher(rule, call, context), call)
  if (ofKey !== undefined && key && !fitsGlob(ofKey, key.id) && !fitsGlob(ofKey, key.api_key)) {
    differs.push({ at: 'key', expected: ofKey, actual: key.id })
  }
  if (ofProduct !== undefined && product && !fitsGlob(ofProduct, product.merchant_key)) {
    differs.push({ at: 'product', expected: ofProduct, actual: product.merchant_key })
  }
  if (differs.length === 0) return [`${misfit} does not match the rule`]
  return differs.map((one) => differenceText(hiddenDifference(one, hide)))
}

function differenceText({ at, expected, actual }: Difference): string {
  const found = actual === undefined ? 'is not there' : `is ${quoted(jsonText(actual))}`
  return `${at} ${found}, the rule expects ${quoted(jsonText(expected))}`
}

/** Rules name query parameters as they are declared; an assumption may rename them for clients. */
function asMatcher(
  { when }: Rule,
  { request: { endpoint } }: Call,
  { assumptions }: ExplanationContext,
): RequestMatcher {
  const { params, query, headers, body } = when
  const named = Object.entries(query ?? {}).map(([name, pattern]) => {
    const nameFrom = endpoint?.query[name]?.nameFrom
    return [nameFrom ? assumptions[nameFrom] : name, pattern] as const
  })
  return { params, headers, body, query: Object.fromEntries(named) }
}

/** Effects in the notation of scenario files, such as `error: RATE_LIMIT_ERROR`. */
function effectsText({ effects }: Rule, hide: Redactor): string {
  const texts = effects.map(({ effect, value }) => {
    const isBare = JSON.stringify(value) === JSON.stringify(effect.bare)
    return isBare ? effect.name : `${effect.name}: ${jsonText(hide.json(value))}`
  })
  return texts.join(', ')
}

function endingReason({ resolution, outcome }: Call, rule: Rule, hide: Redactor): string | undefined {
  const { status, fault } = outcome
  // A fault has a sentence of its own.
  if (fault !== undefined) return undefined
  const verdict = resolution.plan?.verdicts.find((one) => one.rule === rule)
  const when =
    verdict && 'call' in verdict
      ? `, on call ${verdict.call} ${countedSince[verdict.source]}, of ${callsPhrase(rule)}`
      : ''
  return `Scenario rule ${rule.id} answered ${status} (${effectsText(rule, hide)})${when}.`
}

/** Why the only rule for the operation did not act; nothing if there are several, or if it acted. */
export function idleRule(call: Call, context: ExplanationContext, hide: Redactor): string | undefined {
  const [verdict, ...others] = call.resolution.plan?.verdicts ?? []
  if (!verdict || others.length > 0 || (verdict.misfit === undefined && verdict.acted)) return undefined
  const { name, note } = verdictFact(verdict, call, context, hide)
  return `scenario rule ${name} did not act: ${note}`
}
