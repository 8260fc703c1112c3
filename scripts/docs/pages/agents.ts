import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorRow, errorTypes, type ErrorType } from '../../../src/contract/errors.ts'
import { allEndpoints, endpoints } from '../../../src/endpoints/index.ts'
import { packageRoot } from '../../../src/runtime/host.ts'
import { code, codeList, table } from '../markdown.ts'
import type { Regions } from '../regions.ts'

/** The generated regions of AGENTS.md. */
export const agentsRegions: Regions = { endpoints: endpointTable, rows: rowTable, errors: errorTable }

/** The generated region of README.md. */
export const readmeRegions: Regions = { endpoints: endpointTable }

function endpointTable(): string {
  return table(
    ['operation', 'request', 'scope'],
    endpoints.map(({ id, method, path, scope, optionalScope }) => [
      `\`${id}\``,
      `\`${method} ${path}\``,
      scope ? `\`${scope}\`` : optionalScope ? `\`${optionalScope}\` (omits fields)` : '',
    ]),
  )
}

type Row = Readonly<Record<string, unknown>>
type Rows = Readonly<Record<string, readonly Row[]>>

/** The state of a row in a few words, by which AGENTS.md groups the ids. It lists these collections only. */
const stateOf: Readonly<Record<string, (row: Row, rows: Rows) => unknown[]>> = {
  customers: ({ product, statuses }) => [product, ...new Set(Object.values(statuses as Row))],
  accounts: ({ id }, { statements = [] }) => {
    const own = statements.filter((statement) => statement['account_id'] === id).length
    return [own === 0 ? 'no statement' : `${own} statements`]
  },
  payment_methods: ({ type, status }) => [type, status],
  rewards: ({ status, currency }) => [status, currency],
  transaction_intents: ({ status }) => [status],
  order_events: () => [],
}

function rowTable(): string {
  const file = join(packageRoot(), 'fixtures', 'default.json')
  const rows = JSON.parse(readFileSync(file, 'utf8')) as Rows
  return table(
    ['collection', 'state', 'ids'],
    Object.entries(stateOf).flatMap(([collection, state]) => {
      const byState = new Map<string, string[]>()
      for (const row of rows[collection] ?? []) {
        const key = state(row, rows).join(', ')
        byState.set(key, [...(byState.get(key) ?? []), String(row['id'])])
      }
      return [...byState].map(([key, ids]) => [code(collection), key, codeList(ids)])
    }),
  )
}

/** Types that only operations outside the contract answer. The page does not list those operations either. */
function typesOutsideContract(): Set<ErrorType> {
  const outside = allEndpoints.filter(({ listed }) => !listed).flatMap(({ errors }) => errors)
  const inside = endpoints.flatMap(({ errors }) => errors)
  return new Set(outside.map(({ type }) => type).filter((type) => !inside.some((own) => own.type === type)))
}

function errorTable(): string {
  const outside = typesOutsideContract()
  return table(
    ['type', 'status', 'shape', 'message'],
    errorTypes
      .filter((type) => !outside.has(type))
      .map((type) => {
        const { status, statusFrom, shape, message } = errorRow(type)
        return [code(type), statusFrom ? `${status} (${code(statusFrom)})` : String(status), shape, message]
      }),
  )
}
