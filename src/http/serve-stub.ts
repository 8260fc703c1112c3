// Serves stubs: finds the stub of a method and path, and answers with its body or with the row that it names.
import { tryDecode } from 'hono/utils/url'
import type { z } from 'zod'
import { ApiError, type ErrorType } from '../contract/errors.ts'
import { resourceSchemas } from '../endpoints/resource-schemas.ts'
import { visibleCustomer, visibleRow } from '../endpoints/visible.ts'
import { stringify } from '../json/stringify.ts'
import type { Answer } from '../call/outcome.ts'
import type { MatchedStub } from '../call/resolution.ts'
import { rowSchemas } from '../store/rows.ts'
import type { Stubs, stubCollections } from '../store/stubs.ts'
import type { ServedCall } from './served-call.ts'
import { withoutBasePath } from './path.ts'
import { allowOf } from '../endpoints/routes.ts'
import { writeResult } from './write-result.ts'

/** The stubs of a path: the stub of the requested method, if any, and the methods that the path has. */
export interface StubRoute {
  matched: MatchedStub | undefined
  allow: string
}

/** The stubs of the path of a call; undefined if no stub has the path. */
export function stubsOf(call: ServedCall): StubRoute | undefined {
  const { request, service, workspace } = call
  const { stubs } = workspace.state
  if (stubs.length === 0) return undefined
  return routeOf(stubs, request.method, withoutBasePath(request.path, service))
}

function routeOf(stubs: Stubs, method: string, path: string): StubRoute | undefined {
  const fitting = stubs
    .flatMap((stub) => {
      const params = paramsOf(stub.path, path)
      return params ? [{ stub, params }] : []
    })
    // The most specific stub comes first: the one with the fewest parameters.
    .toSorted((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)
  if (fitting.length === 0) return undefined
  const wanted = method === 'HEAD' ? 'GET' : method
  const methods = fitting.map(({ stub }) => stub.method)
  return { matched: fitting.find(({ stub }) => stub.method === wanted), allow: allowOf(methods) }
}

/** The parameters of a path by their names in a template; undefined if the path does not match. */
function paramsOf(template: string, path: string): Record<string, string> | undefined {
  const [wanted, actual] = [template.split('/'), path.split('/')]
  if (wanted.length !== actual.length) return undefined
  const params: [string, string][] = []
  for (const [at, segment] of wanted.entries()) {
    const part = actual[at] ?? ''
    if (segment.startsWith('{') && part !== '') {
      params.push([segment.slice(1, -1), tryDecode(part, decodeURIComponent)])
    } else if (segment !== part) return undefined
  }
  return Object.fromEntries(params)
}

/** For each collection: the schema of its rows in answers, and the error for an unknown id. */
const served: {
  readonly [C in (typeof stubCollections)[number]]: { schema: z.ZodType; missing: ErrorType }
} = {
  customers: { schema: resourceSchemas.customers, missing: 'CUSTOMER_NOT_FOUND_ERROR' },
  accounts: { schema: rowSchemas.accounts, missing: 'NOT_FOUND_ERROR' },
  payment_methods: { schema: resourceSchemas.payment_methods, missing: 'PAYMENT_METHOD_NOT_FOUND_ERROR' },
  rewards: { schema: resourceSchemas.rewards, missing: 'REWARD_NOT_FOUND_ERROR' },
  transaction_intents: {
    schema: resourceSchemas.transaction_intents,
    missing: 'TRANSACTION_INTENT_FOUND_ERROR',
  },
  order_events: { schema: rowSchemas.order_events, missing: 'NOT_FOUND_ERROR' },
}

/** Answers a call of a stub. @throws {ApiError} for a row that does not exist or is of another product. */
export function answerStub(call: ServedCall, { stub, params }: MatchedStub): Answer {
  const { outcome, resolution, workspace } = call
  const { collection, id = '', status = 200, body } = stub
  if (collection === undefined) {
    return body === undefined ? outcome.answer(status, {}, null) : outcome.answerJson(status, stringify(body))
  }
  const { product } = resolution
  if (!product) throw new Error('a request skipped the stages before its stub')
  const tx = workspace.begin()
  const wanted = id.startsWith('{') ? (params[id.slice(1, -1)] ?? '') : id
  const row =
    collection === 'customers'
      ? visibleCustomer({ tx, product }, wanted)
      : visibleRow({ tx, product }, collection, wanted)
  resolution.lastRead = tx.lastRead
  const { schema, missing } = served[collection]
  if (!row) throw new ApiError(missing, { outcome: 'not_found' })
  return outcome.answerJson(200, writeResult(call, schema, row, true))
}
