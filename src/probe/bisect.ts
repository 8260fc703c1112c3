// Finds a limit by sending sizes: probable ones first, then growing steps, then a binary search.
import type { Answer } from './read-answer.ts'
import { briefly } from './error-shape.ts'
import { cannotTell, other, value, type Given, type Probe, type Reading, type Step } from './probe.ts'
import type { Need } from './target.ts'

/** A limit below which every size passes, and above which none does. */
export interface Bisected {
  id: string
  needs: readonly Need[]
  /** The minimum and the maximum of the limit. */
  range: readonly [least: number, most: number]
  /** Probable values, which are tested first, so that most limits take few requests. */
  likely?: readonly number[]
  risk: 'read' | 'refusal'
  method: string
  path: Step['path']
  /** A size that always passes; if it does not, nothing can be observed. */
  control?: Step
  /** Returns the request of this size. */
  request(size: number, given: Given): ReturnType<Step['request']>
  /** Whether an answer accepts its size; undefined if it was refused for another reason. */
  passes(answer: Answer, control: Answer | undefined): boolean | undefined
}

/** The state of a search: the next size, or the result. */
type SearchState =
  { next: string; size: number } | { limit: number } | { outside: string } | { unclear: Answer | undefined }

/**
 * A probe that finds a limit without sizes far above it, and confirms it with two requests: the limit, which must pass,
 * and one above it, which must not.
 */
export function bisect({
  id,
  needs,
  range,
  likely = [],
  passes,
  request,
  control,
  ...how
}: Bisected): Probe<number> {
  const [least, most] = range
  const sizes = rungs(range, likely)
  const gaps = sizes.map((size, at) => size - (sizes[at - 1] ?? size - 1))
  const halvings = Math.ceil(Math.log2(Math.max(...gaps)))
  const judge = (given: Given, answer: Answer) => passes(answer, control && given.answer(control.name))

  const search = (given: Given): SearchState => {
    const checked = control && given.answer(control.name)
    if (checked && passes(checked, checked) !== true) return { unclear: checked }
    let low = least - 1
    let high: { size: number; answer: Answer } | undefined
    for (const size of sizes) {
      const answer = given.answer(`${size}`)
      if (!answer) return { next: `${size}`, size }
      if (judge(given, answer) !== true) {
        high = { size, answer }
        break
      }
      low = size
    }
    if (!high) return { outside: `more than ${most}` }
    for (let turn = 1; low >= least && high.size - low > 1; turn++) {
      const size = Math.floor((low + high.size) / 2)
      const answer = given.answer(`halving ${turn}`)
      if (!answer) return { next: `halving ${turn}`, size }
      if (judge(given, answer)) low = size
      else high = { size, answer }
    }
    // A refusal for another reason, such as the size of the whole, shows nothing about this limit.
    if (judge(given, high.answer) === undefined) return { unclear: high.answer }
    return low < least ? { outside: `less than ${least}` } : { limit: low }
  }

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
  const searching = (name: string): Step<number> =>
    step(name, (given) => {
      const state = search(given)
      return 'next' in state && state.next === name ? state.size : undefined
    })
  const controls = control ? [control] : []
  return {
    id,
    needs,
    steps: [
      ...controls,
      ...sizes.map((size) => searching(`${size}`)),
      ...Array.from({ length: halvings }, (_, turn) => searching(`halving ${turn + 1}`)),
    ],
    read(given) {
      const state = search(given)
      if ('limit' in state) return value(state.limit)
      return 'outside' in state
        ? other(state.outside)
        : unclear('unclear' in state ? state.unclear : undefined)
    },
    confirm: {
      // For a limit outside of the range, its ends are sent again.
      steps: [
        ...controls,
        step('limit', (_, first) => first ?? least),
        step('above', (_, first) => (first ?? most) + 1),
      ],
      read(given, first) {
        const checked = control && given.answer(control.name)
        if (checked && passes(checked, checked) !== true) return unclear(checked)
        const [limit, above] = [given.answer('limit'), given.answer('above')]
        const passed = limit && judge(given, limit)
        const passedAbove = above && judge(given, above)
        if (passed === undefined) return unclear(limit)
        if (!passed) return other(`less than ${first ?? least}`)
        if (passedAbove === undefined) return unclear(above)
        if (passedAbove) return other(`more than ${first ?? most}`)
        return first === undefined ? unclear(above) : value(first)
      },
    },
  }
}

/** Returns the sizes to test before the binary search, from the minimum to one above the maximum. */
function rungs([least, most]: Bisected['range'], likely: readonly number[]): number[] {
  const sizes = new Set([least, ...likely.flatMap((size) => [size, size + 1]), most, most + 1])
  for (let size = 2 * Math.max(least, ...likely); size < most; size *= 2) sizes.add(size)
  return [...sizes].toSorted((a, b) => a - b)
}

function unclear(answer: Answer | undefined): Reading<never> {
  return cannotTell(answer ? `another rule comes before the limit: ${briefly(answer)}` : 'nothing was sent')
}
