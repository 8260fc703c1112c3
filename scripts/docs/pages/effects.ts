import { z } from 'zod'
import { parse, stringify } from 'yaml'
import { effects } from '../../../src/scenarios/effects/index.ts'
import { builtIn, type ScenarioDocument } from '../built-in-scenarios.ts'
import { anchor, block, code } from '../markdown.ts'

/** Generates the page of the effects of rules: syntax, description, and a built-in scenario that uses the effect. */
export function effectsPage(): string {
  const scenarios = builtIn()
  return `# Effects

A rule of a [scenario](scenarios.md) has one effect or a list of them. \`schema scenario\` prints the JSON Schema for editors.

- Effects that do not end the call are all applied; of those that end it, only the first one.
- [Scenario files](scenario-files.md#which-calls-are-counted) describes which calls a rule counts, and when its counter restarts.
- An answer that the contract does not allow is marked as off contract in the journal. Only its request counts as covered (see
  [what counts](contract-points.md#what-counts)).

${effects.map(({ name, help }) => `- [${code(name)}](#${anchor(name)}): ${help}`).join('\n')}

${effects.map((effect) => section(effect, scenarios)).join('\n')}`
}

function section(
  { name, help, schema, bare, extra: beside }: (typeof effects)[number],
  scenarios: readonly ScenarioDocument[],
): string {
  const using = scenarios.filter(({ text }) => usesOf(text).includes(name))
  const [example] = using
  const values = valueLines(schema)
  return [
    `## ${name}\n`,
    `${help}\n`,
    ...(bare === undefined ? [] : [`It can be used without a value: ${code(`effect: ${name}`)}.\n`]),
    ...(values.length === 0 ? [] : [`Its value: ${values}\n`]),
    ...Object.entries(beside ?? {}).map(
      ([key, value]) => `The rule may also have ${code(key)}: ${valueLines(value)}\n`,
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

/** Returns a short description of the values that a schema accepts. */
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
        `${code(key)}${required.includes(key) ? '' : ' (optional)'}: ${shortOf(field as z.core.JSONSchema.BaseSchema)}`,
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
