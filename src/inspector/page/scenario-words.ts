// The operations and effects that the schema of scenarios names.

/** An effect, by its keys in the file, with its description. */
export interface EffectWords {
  keys: readonly string[]
  description: string
}

/** As much of the schema as is read here. */
export interface ScenarioSchema {
  properties: {
    rules: {
      items: {
        properties: {
          on: { anyOf: readonly { enum?: readonly string[] }[] }
          effect: {
            anyOf: readonly {
              anyOf?: readonly { properties?: Readonly<Record<string, unknown>>; description?: string }[]
            }[]
          }
        }
      }
    }
  }
}

const targetsOf = (schema: ScenarioSchema): (readonly string[])[] =>
  schema.properties.rules.items.properties.on.anyOf.flatMap((form) => (form.enum ? [form.enum] : []))

export function operationsOf(schema: ScenarioSchema): readonly string[] {
  return targetsOf(schema)[0] ?? []
}

/** The types of events, for rules with the effect `event`. */
export function eventTypesOf(schema: ScenarioSchema): readonly string[] {
  return targetsOf(schema)[1] ?? []
}

export function effectsOf(schema: ScenarioSchema): EffectWords[] {
  const one = schema.properties.rules.items.properties.effect.anyOf.find((form) => form.anyOf)?.anyOf ?? []
  return one.flatMap(({ properties, description }) =>
    properties && description !== undefined ? [{ keys: Object.keys(properties), description }] : [],
  )
}
