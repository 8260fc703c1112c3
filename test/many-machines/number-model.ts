/** The model of one row: a number that is written and read. Each write has a number of its own. */
import type { Answered, Model, Operation } from './history.ts'

export type NumberRequest = { kind: 'read' } | { kind: 'write'; to: number }

export const written = 'written'

export const numberModel = (beginning: number): Model<NumberRequest, number> => ({
  beginning,
  apply: (state, request) =>
    request.kind === 'write' ? { state: request.to, answer: written } : { state, answer: String(state) },
})

/**
 * Settles the calls of unknown outcome. A write whose number a client read was executed before that read ended; any
 * other one may come after all reads, and explains nothing.
 */
export function settle(operations: readonly Operation<NumberRequest>[]): Answered<NumberRequest>[] {
  const firstRead = new Map<string, number>()
  for (const { request, answer, ended } of operations)
    if (request.kind === 'read' && answer !== undefined)
      firstRead.set(answer, Math.min(ended, firstRead.get(answer) ?? Infinity))
  return operations.flatMap((one) => {
    const { answer, request } = one
    if (answer !== undefined) return [{ ...one, answer }]
    const ended = request.kind === 'write' ? firstRead.get(String(request.to)) : undefined
    return ended === undefined ? [] : [{ ...one, ended: Math.max(ended, one.started), answer: written }]
  })
}
