// The calls on which a rule acts: all that match, one, a range, every n-th, or a share that the seed chooses.
export type Calls = { from: number; to: number } | { every: number } | { percent: number }

export const everyCall: Calls = { from: 1, to: Number.POSITIVE_INFINITY }

/** Why a text is not a valid set of calls, in words that complete "calls …". */
export const callsRule = 'must be "1", "2..", "1..3" or "every 3", counted from 1, or "1%" to "100%"'

/**
 * Parses the notation of scenario files; undefined if it is invalid.
 *
 * @example
 * readCalls('2..')       // { from: 2, to: Infinity }
 * readCalls('every 3')   // { every: 3 }
 * readCalls('10%')       // { percent: 10 }
 */
export function readCalls(text: string): Calls | undefined {
  const every = /^every ([1-9]\d{0,8})$/.exec(text)
  if (every) return { every: Number(every[1]) }
  const percent = /^([1-9]\d?|100)%$/.exec(text)
  if (percent) return { percent: Number(percent[1]) }
  const range = /^([1-9]\d{0,8})(\.\.([1-9]\d{0,8})?)?$/.exec(text)
  if (!range) return undefined
  const from = Number(range[1])
  const to =
    range[2] === undefined ? from : range[3] === undefined ? Number.POSITIVE_INFINITY : Number(range[3])
  return to < from ? undefined : { from, to }
}

/**
 * Whether the n-th matching call, counted from 1, is in the set.
 * @param chance returns a number from 0 up to 1 that depends on the seed, the rule and the count alone.
 */
export function includesCall(calls: Calls, count: number, chance: () => number): boolean {
  if ('every' in calls) return count % calls.every === 0
  if ('percent' in calls) return chance() * 100 < calls.percent
  return count >= calls.from && count <= calls.to
}

/** Returns a set of calls in the notation of scenario files. */
export function callsText(calls: Calls): string {
  if ('every' in calls) return `every ${calls.every}`
  if ('percent' in calls) return `${calls.percent}%`
  if (calls.to === Number.POSITIVE_INFINITY) return `${calls.from}..`
  return calls.from === calls.to ? String(calls.from) : `${calls.from}..${calls.to}`
}
