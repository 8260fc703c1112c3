/** The smallest machine that has all that matters: a number that is written, and reads that are counted. */
import type { Model } from './history.ts'
import type { Random } from './random.ts'

export type NumberRequest =
  | { kind: 'read' }
  | { kind: 'set'; to: number }
  | { kind: 'add' }
  /** A read that a rule counts, as scenarios do: it makes a version, although it writes no row. */
  | { kind: 'count' }

export interface NumberState {
  readonly value: number
  readonly counted: number
}

export const numberModel: Model<NumberRequest, NumberState> = {
  beginning: { value: 0, counted: 0 },
  firstVersion: 0,
  apply(state, request) {
    switch (request.kind) {
      case 'read':
        return { state, answer: String(state.value), changed: false }
      case 'set':
        return { state: { ...state, value: request.to }, answer: 'ok', changed: true }
      case 'add':
        return {
          state: { ...state, value: state.value + 1 },
          answer: String(state.value + 1),
          changed: true,
        }
      case 'count':
        return {
          state: { ...state, counted: state.counted + 1 },
          answer: state.counted < 2 ? 'refused' : 'served',
          changed: true,
        }
    }
  },
  mayWrite: ({ kind }) => kind === 'set' || kind === 'add',
  show: (request) => (request.kind === 'set' ? `set ${request.to}` : request.kind),
}

export function numberRequest(random: Random): NumberRequest {
  const kind = random.pick(['read', 'read', 'set', 'add', 'count'] as const)
  return kind === 'set' ? { kind, to: random.below(3) } : { kind }
}
