// The plan of scenarios for a call, as text: the catalogue's scenarios by name, others with their documents, as they
// may be gone when it is read.
import { parseExact } from '../json/parse-exact.ts'
import { sourceOfValue } from '../input/source-file.ts'
import { everyCall } from '../scenarios/calls.ts'
import type { Catalogue } from '../scenarios/catalogue.ts'
import type { Ending } from '../scenarios/consequences.ts'
import { Plan, type ScenarioSource, type Verdict } from '../scenarios/plan.ts'
import { readScenario } from '../scenarios/read-scenario.ts'
import type { Rule, Scenario } from '../scenarios/scenario.ts'
import { stringify } from '../json/stringify.ts'
import { fitting } from './extent.ts'

/** A scenario by its name, in the catalogue or not; without its document if that is omitted. */
type ScenarioText = string | { name: string; source: string; document?: string }

type VerdictText =
  [rule: string, misfit: string] | [rule: string, call: number, acted: boolean, source?: ScenarioSource]

/** Each is written and parsed once for all calls for which it is active. */
const documents = new WeakMap<Scenario, string>()

/** @param isWhole whether scenarios of the catalogue are written by name, and others with their documents. */
export function writeScenarios(
  scenarios: readonly Scenario[],
  catalogue: Catalogue | undefined,
  isWhole: boolean,
): ScenarioText[] {
  return scenarios.map((scenario) => {
    const { name, source } = scenario
    if (!isWhole) return { name, source }
    if (catalogue?.get(name) === scenario) return name
    let document = documents.get(scenario)
    if (document === undefined) documents.set(scenario, (document = stringify(scenario.document)))
    return { name, source, document }
  })
}

/** Parsed scenarios by the text of their documents. Journals that are read in sequence usually have the same scenarios. */
const read = new Map<string, Scenario>()
const maxRead = 100

export function readScenarios(texts: readonly ScenarioText[], catalogue: Catalogue | undefined): Scenario[] {
  return texts.map((text) => {
    if (typeof text === 'string') return catalogue?.get(text) ?? withoutRules(text, '')
    const { name, source, document } = text
    if (document === undefined) return withoutRules(name, source)
    const key = `${source}\n${document}`
    let scenario = read.get(key)
    if (!scenario) {
      if (read.size === maxRead) read.clear()
      scenario = readScenario(sourceOfValue(parseExact(document), source))
      read.set(key, scenario)
    }
    return scenario
  })
}

function withoutRules(name: string, source: string): Scenario {
  return { name, description: '', rules: [], needsLatest: false, source, document: undefined }
}

/** The consequences themselves are already applied when a call is written: no reader needs them. */
type NotWritten = 'changes' | 'paging' | 'rewritings'
type PlanField = Exclude<keyof Plan, NotWritten | 'end'>
type PlanText = ReturnType<typeof writePlan>

/** @param isWhole whether it has the result of each rule. */
export function writePlan(plan: Plan, isWhole: boolean, each: number) {
  return {
    ending: plan.ending && writeEnding(plan.ending),
    missingScopes: plan.missingScopes,
    latency: plan.latency,
    offContract: plan.offContract,
    endedBy: plan.endedBy?.id,
    rewritten: plan.rewritten,
    rules: fitting(plan.rules, each),
    verdicts: isWhole ? plan.verdicts.map(writeVerdict) : [],
    undone: fitting(plan.undone, each),
  } satisfies Record<PlanField, unknown>
}

/** @param scenarios the active ones: rules are identified as objects. */
export function readPlan(text: PlanText, scenarios: readonly Scenario[]): Plan {
  const rules = new Map(
    scenarios.flatMap((scenario) => scenario.rules.map((rule) => [rule.id, rule] as const)),
  )
  const ruleOf = (id: string): Rule => rules.get(id) ?? unknownRule(id)
  const fields: Pick<Plan, PlanField> = {
    ...text,
    ending: text.ending,
    rules: [...text.rules],
    undone: [...text.undone],
    endedBy: text.endedBy === undefined ? undefined : ruleOf(text.endedBy),
    verdicts: text.verdicts.map((verdict) => readVerdict(verdict, ruleOf)),
  }
  return Object.assign(new Plan(), fields)
}

/** Omits the contents of the answer, which are in the outcome of the call. */
function writeEnding(ending: Ending): Ending {
  switch (ending.kind) {
    case 'error':
      return { kind: 'error', type: ending.type }
    case 'refusal':
      return { ...ending, about: {} }
    case 'answer':
      return { ...ending, headers: {}, body: undefined }
    case 'fault':
      return ending
  }
}

function writeVerdict(verdict: Verdict): VerdictText {
  const { id } = verdict.rule
  if (verdict.misfit !== undefined) return [id, verdict.misfit]
  return [id, verdict.call, verdict.acted, verdict.source]
}

function readVerdict([id, ...became]: VerdictText, ruleOf: (id: string) => Rule): Verdict {
  const rule = ruleOf(id)
  const [first, acted = false, source = 'switch'] = became
  return typeof first === 'string' ? { rule, misfit: first } : { rule, call: first, acted, source }
}

/** A rule of which only the name is left. */
function unknownRule(id: string): Rule {
  return {
    id,
    operations: new Set(),
    events: new Set(),
    when: {},
    calls: everyCall,
    effects: [],
    offContract: false,
  }
}
