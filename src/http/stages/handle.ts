// Runs the handler of an endpoint in a transaction, and answers with its result. The transaction is committed when the
// handler returns, and rolled back when it throws.
import { ApiError, validationError } from '../../contract/errors.ts'
import { isJsonObject } from '../../contract/formats.ts'
import { contractPaging } from '../../endpoints/paging.ts'
import type { Resolution } from '../../call/resolution.ts'
import type { Plan } from '../../scenarios/plan.ts'
import { changeState } from '../scenarios/change-state.ts'
import type { Failure } from '../failure.ts'
import { answerStub } from '../serve-stub.ts'
import { writeResult } from '../write-result.ts'
import type { Stage } from '../stage.ts'

export const notSaved: Failure = {
  type: 'INTERNAL_ERROR',
  name: 'not_saved',
  on: 'The changes of the call could not be saved and were rolled back.',
}

export const handle: Stage = {
  // The endpoint itself declares the errors of its handler.
  failures: () => [notSaved],
  run(call) {
    const { request, resolution, outcome, workspace, service } = call
    const { endpoint } = request
    const { key, product, plan, stub } = resolution
    if (stub) return answerStub(call, stub)
    if (!endpoint || !key || !product) throw new Error('a request skipped the stages before its handler')
    if (plan) changeState(call, 'before')
    const tx = workspace.begin()
    resolution.asked = true
    let result: unknown
    try {
      result = endpoint.handler({
        params: withoutMissing(request.params, resolution),
        query: call.parameters,
        otherwise: call.otherwise,
        body: withoutMissing(call.body, resolution),
        sent: isJsonObject(call.parsed) ? call.parsed : {},
        key,
        product,
        workspace: workspace.name,
        keySuffix: workspace.keySuffix,
        tx,
        now: workspace.clock.now(),
        cursors: workspace.keys?.cursors ?? service.cursors,
        values: service.assumptions,
        assume: call.assume,
        paging: plan?.paging ?? contractPaging,
        fail,
        invalid,
        pdfUrl: (statement) =>
          service.statementLinks.urlFor(statement, workspace, outcome.id, request.origin),
      })
    } catch (error) {
      resolution.lastRead = tx.lastRead
      tx.rollback()
      throw error
    }
    call.result = result
    // A loss before the commit needs the answer of the handler, but not its writes.
    const isLost = lostBeforeCommit(plan)
    if (isLost) tx.rollback()
    // Only scenarios change rows in a read, such as those that appear between two pages.
    outcome.changes = call.commit(tx, endpoint.method === 'GET' ? 'scenario' : 'api')
    call.handled = !isLost
    resolution.lastRead = tx.lastRead
    const status = typeof endpoint.status === 'number' ? endpoint.status : endpoint.status(call.assume)
    const schema = endpoint.result?.(service.assumptions)
    if (status === 204 || result === undefined || !schema) return outcome.answer(status, {}, null)
    const text = writeResult(call, schema, result, tx.changes.length === 0)
    return outcome.answerJson(status, text)
  },
}

/** Replaces the parameter that a scenario declares as missing by an empty id, which no row has. */
function withoutMissing<V>(
  values: Readonly<Record<string, V | string>>,
  { missing }: Resolution,
): Record<string, V | string> {
  return missing !== undefined && Object.hasOwn(values, missing) ? { ...values, [missing]: '' } : values
}

function lostBeforeCommit(plan: Plan | undefined): boolean {
  return plan?.ending?.kind === 'fault' && plan.ending.at === 'before'
}

function fail(...about: ConstructorParameters<typeof ApiError>): never {
  throw new ApiError(...about)
}

function invalid(...details: string[]): never {
  throw validationError(details)
}
