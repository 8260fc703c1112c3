// Finds a number by halving: the steps that ask, and the reader that follows them again.
import type { Answer } from './asker.ts'
import { cannotTell, other, value, type Given, type Probe, type Reading, type Step } from './probe.ts'
import type { Need } from './target.ts'

/** A limit of which all up to it pass and nothing above it. */
export interface Bisected {
  id: string
  needs: readonly Need[]
  /** The least and the greatest value that the limit may have. */
  range: readonly [least: number, most: number]
  risk: 'read' | 'refusal'
  method: string
  path: Step['path']
  /** The request that has this size. */
  request(size: number, given: Given): ReturnType<Step['request']>
  /** Whether an answer lets its size pass; undefined when it tells neither. */
  passes(answer: Answer): boolean | undefined
}

/**
 * A probe that finds a limit with one request for each halving, and confirms it with two: the limit, which must pass,
 * and one above it, which must not.
 */
export function bisect({ id, needs, range, passes, request, ...how }: Bisected): Probe<number> {
  const [least, most] = range
  const halvings = Math.ceil(Math.log2(most - least + 1))
  const step = (
    name: string,
    sizeOf: (given: Given, first?: number) => number | undefined,
  ): Step<number> => ({
    name,
    ...how,
    request(given, first) {
      const size = sizeOf(given, first)
      return size === undefined ? undefined : request(size, given)
    },
  })
  /** Where the search stands after the answers that there are. */
  const search = (given: Given) => {
    let [low, high] = [least, most]
    for (let turn = 0; low < high; turn++) {
      const answer = given.answer(`halving ${turn + 1}`)
      if (!answer) return { low, high, turn }
      const passed = passes(answer)
      if (passed === undefined) return { low, high, turn, unclear: answer }
      const middle = Math.ceil((low + high) / 2)
      if (passed) low = middle
      else high = middle - 1
    }
    return { low, high }
  }
  const ends = ['least', 'beyond'] as const
  /** What the ends say: the least must pass, and one beyond the most must not; a limit outside is none of ours. */
  const readEnds = (given: Given): Reading<never> | undefined => {
    for (const end of ends) {
      const answer = given.answer(end)
      const passed = answer && passes(answer)
      if (passed === undefined) return unclear(answer)
      if (passed !== (end === 'least')) return other(passed ? `more than ${most}` : `less than ${least}`)
    }
    return undefined
  }
  return {
    id,
    needs,
    steps: [
      step('least', () => least),
      step('beyond', () => most + 1),
      ...Array.from({ length: halvings }, (_, turn) =>
        step(`halving ${turn + 1}`, (given) => {
          if (readEnds(given)) return undefined
          const at = search(given)
          return at.turn === turn && !at.unclear ? Math.ceil((at.low + at.high) / 2) : undefined
        }),
      ),
    ],
    read(given) {
      const outside = readEnds(given)
      if (outside) return outside
      const at = search(given)
      return at.turn === undefined ? value(at.low) : unclear(at.unclear)
    },
    confirm: {
      steps: [
        step('limit', (_, first) => first),
        step('above', (_, first) => (first === undefined ? undefined : first + 1)),
      ],
      read(given, first) {
        const [limit, above] = [given.answer('limit'), given.answer('above')]
        const [passed, passedAbove] = [limit && passes(limit), above && passes(above)]
        if (passed === undefined) return unclear(limit)
        if (passedAbove === undefined) return unclear(above)
        if (passed && !passedAbove) return value(first)
        return other(passed ? `more than ${first}` : `less than ${first}`)
      },
    },
  }
}

function unclear(answer: Answer | undefined): Reading<never> {
  return cannotTell(
    answer
      ? `an answer of ${answer.status} says neither that it passes nor that it does not`
      : 'nothing was asked',
  )
}
