// Hides card numbers (PAN) in text, keeping the last four digits.
import { isTestPan, passesLuhn } from './cards.ts'

/** Twelve digits or more, perhaps with a space, dash or plus (a space of a query) between any two of them. */
const digitRuns = /\d(?:[ +-]?\d){11,}/g

/**
 * Hides all but the last four digits of every card number, alone or beside other numbers such as its date of expiry.
 *
 * @example hideCards('4242 4242 4242 4242 09/29')   // '************4242 09/29' with its spaces
 */
export function hideCards(text: string): string {
  return text.replace(digitRuns, hideInRun)
}

function hideInRun(run: string): string {
  const groups = groupsOf(run)
  const hidden = new Set<number>()
  for (const from of groups.keys()) {
    for (const digits of neighbors(groups, from)) if (passesLuhn(digits.text)) hide(digits.places)
  }
  // A published number is known wherever it stands, also within a longer run of digits.
  for (const { text, places } of groups) {
    for (let from = 0; from + shortest <= text.length; from++) {
      for (let end = from + shortest; end <= Math.min(text.length, from + longest); end++) {
        if (isTestPan(text.slice(from, end))) hide(places.slice(from, end))
      }
    }
  }
  return hidden.size === 0 ? run : [...run].map((char, at) => (hidden.has(at) ? '*' : char)).join('')

  function hide(places: readonly number[]): void {
    for (const place of places.slice(0, -4)) hidden.add(place)
  }
}

/** Digits with the places where they stand. */
interface Digits {
  text: string
  places: number[]
}

function groupsOf(run: string): Digits[] {
  return [...run.matchAll(/\d+/g)].map(({ 0: text, index }) => ({
    text,
    places: Array.from(text, (_, offset) => index + offset),
  }))
}

const shortest = 12
const longest = 19

/** Whole groups side by side that have as many digits as a card number, from one group on. */
function* neighbors(groups: readonly Digits[], from: number): Generator<Digits> {
  let text = ''
  const places: number[] = []
  for (const group of groups.slice(from, from + longest)) {
    text += group.text
    if (text.length > longest) return
    places.push(...group.places)
    if (text.length >= shortest) yield { text, places: [...places] }
  }
}
