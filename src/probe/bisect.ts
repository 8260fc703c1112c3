// Finds a number by asking for sizes: likely ones first, then steps that grow, then halves of what is left.
import type { Answer } from './read-answer.ts'
import { briefly } from './error-shape.ts'
import { cannotTell, other, value, type Given, type Probe, type Reading, type Step } from './probe.ts'
import type { Need } from './target.ts'

/** A limit of which all up to it pass and nothing above it. */
export interface Bisected {
  id: string
  needs: readonly Need[]
  /** The least and the greatest value that the limit may have. */
  range: readonly [least: number, most: number]
  /** Values that it may well have: they are looked at first, so that most limits take few requests. */
  likely?: readonly number[]
  risk: 'read' | 'refusal'
  method: string
  path: Step['path']
  /** What passes whatever the limit is; where it does not, nothing can be told. */
  control?: Step
  /** The request that has this size. */
  request(size: number, given: Given): ReturnType<Step['request']>
  /** Whether an answer lets its size pass; undefined when it was refused for something else. */
  passes(answer: Answer, control: Answer | undefined): boolean | undefined
}

/** Where a search stands: what to ask next, or what it found. */
type Stand =
  { next: string; size: number } | { limit: number } | { outside: string } | { unclear: Answer | undefined }

/**
 * A probe that finds a limit without sizes far beyond it, and confirms it with two requests: the limit, which must
 * pass, and one above it, which must not.
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

  const search = (given: Given): Stand => {
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
    // What is refused for something else, such as the size of the whole, says nothing of this limit.
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
      const stand = search(given)
      return 'next' in stand && stand.next === name ? stand.size : undefined
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
      const stand = search(given)
      if ('limit' in stand) return value(stand.limit)
      return 'outside' in stand
        ? other(stand.outside)
        : unclear('unclear' in stand ? stand.unclear : undefined)
    },
    confirm: {
      // Of one outside of the range, its ends are asked again.
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

/** The sizes to look at before any are halved, from the least to one beyond the most. */
function rungs([least, most]: Bisected['range'], likely: readonly number[]): number[] {
  const sizes = new Set([least, ...likely.flatMap((size) => [size, size + 1]), most, most + 1])
  for (let size = 2 * Math.max(least, ...likely); size < most; size *= 2) sizes.add(size)
  return [...sizes].toSorted((a, b) => a - b)
}

function unclear(answer: Answer | undefined): Reading<never> {
  return cannotTell(answer ? `another rule is met before the limit: ${briefly(answer)}` : 'nothing was asked')
}
