import { errorCatalogue, errorRow, type ErrorType } from '../../../src/contract/errors.ts'
import { allEndpoints } from '../../../src/endpoints/index.ts'
import { createSandbox } from '../../../src/index.ts'
import { testNow } from '../../../test/helpers/test-now.ts'
import { neededFor } from './needed-assumption.ts'
import { code, json, table } from '../markdown.ts'

/** Generates the page of the errors: the three shapes, and every error with its operations. */
export async function errorsPage(): Promise<string> {
  await using sandbox = await createSandbox({ clock: testNow, frozen: true })
  const bodyOf = async (path: string, init: RequestInit = {}): Promise<unknown> =>
    (
      await sandbox.fetch(path, {
        ...init,
        headers: { authorization: 'Bearer sk_sandbox_full', 'content-type': 'application/json' },
      })
    ).json()
  const types = Object.keys(errorCatalogue) as ErrorType[]
  const declaring = (type: ErrorType): string[] =>
    allEndpoints.flatMap(({ id, errors }) => {
      const own = errors.filter((error) => error.type === type)
      const [needed] = own.every(neededFor) ? own.map(neededFor) : []
      if (own.length === 0) return []
      const from = own.find(({ statusFrom }) => statusFrom)?.statusFrom
      const name = from ? `${code(id)} (${code(from)})` : code(id)
      return [needed ? `${name} with ${code(needed.join('='))}` : name]
    })
  const own = types.filter((type) => declaring(type).length > 0)
  const general = types.filter((type) => !own.includes(type))
  const row = (type: ErrorType, where: string): string[] => {
    const { shape, status, statusFrom, typeFrom, outcome, message } = errorRow(type)
    return [
      code(type),
      `${status}${statusFrom ? ` (${code(statusFrom)})` : ''}`,
      shape,
      `${message}${typeFrom ? ` Its type is an assumption: ${code(typeFrom)}.` : ''}`,
      outcome,
      where,
    ]
  }
  const head = ['type', 'status', 'shape', 'what it says', 'in the journal']
  return `# Errors

Errors come in three shapes. A client should tell them apart by their fields, not by their status.

**Shape A**, for parameters and bodies that break a declared rule:

${json(await bodyOf('/v2/transaction_intents', { method: 'POST', body: '{"customer_id":"cus_ada"}' }))}
**Shape B**, for all general errors:

${json(await bodyOf('/v2/nothing'))}
**Shape C**, for a resource that a parameter names and that does not exist:

${json(await bodyOf('/v2/rewards/rwd_nobody'))}
A status or type in parentheses is an [assumption](assumptions.md), as the contract does not show it. To cause any of them on demand, use a [scenario](scenarios.md) or the effect [\`error\`](effects.md#error).

${code('unauthenticated_status=403')} also changes the type of its error to that of a missing scope (${code('forbidden_type')}); ${code('unauthenticated_type')} then has no effect.

## Errors of operations

${table(
  [...head, 'operations'],
  own.map((type) => row(type, declaring(type).join(', '))),
)}
## Errors of any call

${table(
  head,
  general.map((type) => row(type, '').slice(0, head.length)),
)}`
}
