// Hides all but the last four digits of every card number (PAN), alone or beside others such as its expiry date.
import { isTestPan, numbersIn, passesLuhn } from './cards.ts'

/** Twelve digits or more, perhaps with a space, dash or plus (a space of a query) between any two of them. */
const digitRuns = /\d(?:[ +-]?\d){11,}/g

/** @example hideCards('4242 4242 4242 4242 09/29')   // '************4242 09/29' with its spaces */
export function hideCards(text: string): string {
  return text.replace(digitRuns, hideInRun)
}

const shortest = 12
const longest = 19

function hideInRun(run: string): string {
  const found = [...run.matchAll(/\d+/g)]
  const groups = found.map(([digits]) => digits)
  /** Where each digit of each group stands. */
  const places = found.map(({ 0: digits, index }) => Array.from(digits, (_, offset) => index + offset))
  const hidden = new Set<number>()
  const hide = (digits: readonly number[]): void => {
    for (const place of digits.slice(0, -4)) hidden.add(place)
  }
  for (const { pan, from, to } of numbersIn(groups, shortest)) {
    if (passesLuhn(pan)) hide(places.slice(from, to).flat())
  }
  // A published number is known wherever it stands, also within a longer run of digits.
  for (const [group, digits] of groups.entries()) {
    for (let from = 0; from + shortest <= digits.length; from++) {
      for (let end = from + shortest; end <= Math.min(digits.length, from + longest); end++) {
        if (isTestPan(digits.slice(from, end))) hide(places[group]?.slice(from, end) ?? [])
      }
    }
  }
  return hidden.size === 0 ? run : [...run].map((char, at) => (hidden.has(at) ? '*' : char)).join('')
}
