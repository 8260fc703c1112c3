// Contract points of sent values: each enum value that a call can send (contract: Endpoints).
import type { Assumptions } from '../../contract/assumptions.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { countsAsSent } from '../what-counts.ts'
import { inputsOf, sending, valueSent } from './inputs.ts'
import { allowedValues, keywordsOf } from './limits.ts'
import type { Facet } from './point.ts'

export const sentValues: Facet = {
  points: (endpoint, { values }) =>
    enumInputs(endpoint, values).flatMap(({ field, name, allowed }) =>
      allowed.map((value) => ({
        name: `sent/${field}/${value}`,
        sentence: `A call can send ${name} ${value}.`,
        section: endpoint.section,
        recipe: sending(endpoint, field, value),
      })),
    ),
  watch(endpoint, placeOf, { values }) {
    const inputs = enumInputs(endpoint, values).map(({ field, allowed }) => ({
      read: valueSent(endpoint, field, values),
      places: new Map<unknown, number | undefined>(
        allowed.map((value) => [value, placeOf(`sent/${field}/${value}`)]),
      ),
    }))
    return (call, counter) => {
      if (!countsAsSent(call)) return
      for (const { read, places } of inputs) counter.hit(places.get(read(call)))
    }
  },
}

interface EnumInput {
  field: string
  name: string
  allowed: readonly string[]
}

/** The inputs with listed values, and the values that are currently allowed. */
function enumInputs(endpoint: Endpoint, values: Assumptions): EnumInput[] {
  return inputsOf(endpoint, values)
    .map(({ field, name, schema }) => ({ field, name, allowed: allowedValues(keywordsOf(schema, values)) }))
    .filter(({ allowed }) => allowed.length > 0)
}
