import { z } from 'zod'
import { parse, stringify } from 'yaml'
import { effects } from '../../../src/scenarios/effects/index.ts'
import { builtIn, type ScenarioDocument } from '../built-in-scenarios.ts'
import { anchor, block, code } from '../markdown.ts'

/** Every effect that a rule can have: how it is written, what it does, and a built-in scenario that uses it. */
export function effectsPage(): string {
  const scenarios = builtIn()
  return `# Effects

What a rule of a [scenario](scenarios.md) does to a call. A rule has one effect or a list of them; \`schema scenario\`
prints the JSON Schema that editors complete and check them by. Effects that do not end the call add up; of those that
do, the first one wins. Which calls a rule counts, and when it begins again, is in
[Scenario files](scenario-files.md#which-calls-are-counted). An answer that the contract does not allow is marked as off contract in the journal, and never
counts as coverage of what is answered; its request counts (see [what counts](contract-points.md#what-counts)).

${effects.map(({ name, help }) => `- [${code(name)}](#${anchor(name)}): ${help}`).join('\n')}

${effects.map((effect) => section(effect, scenarios)).join('\n')}`
}

function section(
  { name, help, schema, bare, beside }: (typeof effects)[number],
  scenarios: readonly ScenarioDocument[],
): string {
  const using = scenarios.filter(({ text }) => usesOf(text).includes(name))
  const [example] = using
  const values = valueLines(schema)
  return [
    `## ${name}\n`,
    `${help}\n`,
    ...(bare === undefined ? [] : [`It can stand alone: ${code(`effect: ${name}`)}.\n`]),
    ...(values.length === 0 ? [] : [`Its value: ${values}\n`]),
    ...Object.entries(beside ?? {}).map(
      ([key, value]) => `Beside it may stand ${code(key)}: ${valueLines(value)}\n`,
    ),
    ...(example ? [block('yaml', rulesOf(example.text)), `From ${list(using)}.\n`] : []),
  ].join('\n')
}

function list(using: readonly ScenarioDocument[]): string {
  return using.map(({ name }) => `[${name}](scenarios.md#${anchor(name)})`).join(', ')
}

function rulesOf(text: string): string {
  return stringify({ rules: (parse(text) as { rules: unknown }).rules })
}

function usesOf(text: string): string[] {
  const { rules } = parse(text) as { rules: { effect: unknown }[] }
  return rules
    .flatMap(({ effect }) => effect)
    .flatMap((effect) => (typeof effect === 'string' ? [effect] : Object.keys(effect as object)))
}

/** What a schema takes, in the words of JSON Schema made short. */
function valueLines(schema: z.ZodType): string {
  return shortOf(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }))
}

function shortOf(schema: z.core.JSONSchema.BaseSchema): string {
  const {
    enum: values,
    const: constant,
    type,
    anyOf,
    oneOf,
    properties,
    required = [],
    items,
    minimum,
    maximum,
  } = schema
  if (constant !== undefined) return code(String(constant))
  if (values) return values.map((value) => code(String(value))).join(', ')
  const several = anyOf ?? oneOf
  if (several) return several.map((one) => shortOf(one as z.core.JSONSchema.BaseSchema)).join('; or ')
  if (properties) {
    const fields = Object.entries(properties).map(
      ([key, field]) =>
        `${code(key)}${required.includes(key) ? '' : ' (may be left out)'}: ${shortOf(field as z.core.JSONSchema.BaseSchema)}`,
    )
    return `an object with ${fields.join('; ')}`
  }
  if (type === 'array') return `a list of ${shortOf((items ?? {}) as z.core.JSONSchema.BaseSchema)}`
  const limits = [
    ...(minimum === undefined || minimum < -1e15 ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined || maximum > 1e15 ? [] : [`at most ${maximum}`]),
  ]
  return [
    type === undefined
      ? 'any value'
      : `${type === 'integer' || type === 'object' ? 'an' : 'a'} ${String(type)}`,
    ...limits,
  ].join(', ')
}
