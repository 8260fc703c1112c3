// Masks all but the last four digits of every card number (PAN), also if other digits follow, such as its expiry date.
import { eachCardNumber, testPanAnywhere } from './cards.ts'

/** Matches twelve digits or more, with an optional space, dash or plus (a space in a query) between any two of them. */
const digitRuns = /\d(?:[ +-]?\d){11,}/g

/** @example hideCards('4242 4242 4242 4242 09/29')   // '************4242 09/29' with its spaces */
export function hideCards(text: string): string {
  return text.replace(digitRuns, hideInRun)
}

const shortest = 12

function hideInRun(run: string): string {
  /** The length of the longest card number that begins at each digit, by the index of the digit among all digits. */
  const inGroups = new Uint8Array(run.length)
  eachCardNumber(run, shortest, (from, to) => {
    inGroups[from] = to - from
  })
  /**
   * The length of the published test number that begins at each offset. It is found also within a longer run of digits.
   */
  const inOne = new Uint8Array(run.length)
  for (const { index, 1: pan = '' } of run.matchAll(testPanAnywhere)) inOne[index] = pan.length
  const shown = Buffer.from(run, 'latin1')
  let [digit, digitsHidden, placesHidden] = [0, 0, 0]
  for (let at = 0; at < run.length; at++) {
    if (run.charCodeAt(at) < zero) continue
    digitsHidden = Math.max(digitsHidden, digit + (inGroups[digit] ?? 0) - 4)
    placesHidden = Math.max(placesHidden, at + (inOne[at] ?? 0) - 4)
    if (digit < digitsHidden || at < placesHidden) shown[at] = star
    digit += 1
  }
  return shown.toString('latin1')
}

const [zero, star] = ['0'.charCodeAt(0), '*'.charCodeAt(0)]
