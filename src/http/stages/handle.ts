import { ApiError, validationError } from '../../contract/errors.ts'
import { contractPaging } from '../../endpoints/paging.ts'
import { changeState } from '../scenarios/change-state.ts'
import { textAnswer, type Answer } from '../answer.ts'
import type { Exchange } from '../exchange.ts'
import { serialize } from '../serialize.ts'

/**
 * Runs the endpoint's handler in a transaction: what it wrote stands when it returns, and none of it when it fails.
 */
export function handle(exchange: Exchange): Answer {
  const { endpoint, key, product, workspace, service, incoming } = exchange
  if (!endpoint || !key || !product)
    throw new Error('a request reached its handler past the stages before it')
  if (exchange.plan) changeState(exchange, 'before')
  const tx = workspace.begin()
  exchange.asked = true
  let result: unknown
  try {
    result = endpoint.handler({
      params: withoutMissing(incoming.params, exchange),
      query: exchange.query,
      body: withoutMissing(exchange.body, exchange),
      key,
      product,
      workspace: workspace.name,
      keySuffix: workspace.keySuffix,
      tx,
      now: workspace.clock.now(),
      cursors: service.cursors,
      values: service.assumptions,
      assume: exchange.assume,
      paging: exchange.plan?.paging ?? contractPaging,
      fail,
      invalid,
      pdfUrl: (statement) =>
        service.statementLinks.urlFor(statement, workspace, exchange.requestId, incoming.origin),
    })
  } catch (error) {
    exchange.reads = tx.reads
    tx.rollback()
    throw error
  }
  exchange.result = result
  // A fault before the commit needs the answer but not the writes.
  const isLost = lostBeforeCommit(exchange)
  if (isLost) tx.rollback()
  exchange.changes = exchange.commit(tx)
  exchange.handled = !isLost
  exchange.reads = tx.reads
  for (const id of endpoint.restsOn) exchange.assume(id)
  const status = typeof endpoint.status === 'number' ? endpoint.status : endpoint.status(exchange.assume)
  if (status === 204 || result === undefined || !endpoint.result) return { status, headers: {}, body: null }
  return textAnswer(status, serialize(endpoint.result, result, exchange.scopes, tx.changes.length === 0))
}

/** No row has an empty id, so that is what a parameter becomes which a scenario has name nothing. */
function withoutMissing<V>(
  values: Record<string, V | string>,
  { missing }: Exchange,
): Record<string, V | string> {
  return missing !== undefined && Object.hasOwn(values, missing) ? { ...values, [missing]: '' } : values
}

function lostBeforeCommit({ plan }: Exchange): boolean {
  return plan?.ending?.kind === 'fault' && plan.ending.at === 'before'
}

function fail(...about: ConstructorParameters<typeof ApiError>): never {
  throw new ApiError(...about)
}

function invalid(...details: string[]): never {
  throw validationError(details)
}
