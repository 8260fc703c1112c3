import { passesLuhn } from '../../src/secrets/cards.ts'

/**
 * Secrets that are told wherever they turn up: card numbers begin with one prefix, and everything else holds one word.
 * Card numbers are made anew for each request.
 */
const word = 'canary'
const prefix = '411773'

/** A text that a client may send anywhere: it must be recognized by its value. */
export const canaryKey = `${word}-key/4+of=a%partner`
export const canarySecret = `${word}"secret"\\of_a_key`
export const canaryToken = `${word}.token_of-the-control~plane`
export const lateKey = `${word}_key_added_later`
export const lateSecret = `${word}-secret,added_later`

/** A source of numbers that repeats itself. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((state / 4_294_967_296) * below)
  }
}

type Random = ReturnType<typeof randomFrom>

export function pick<T>(random: Random, list: readonly T[]): T {
  const one = list[random(list.length)]
  if (one === undefined) throw new Error('there is nothing to pick from')
  return one
}

/** A card number that passes the check of card numbers. */
export function cardNumber(random: Random): string {
  const start = prefix + String(random(1_000_000_000)).padStart(9, '0')
  for (let digit = 0; digit < 10; digit++) if (passesLuhn(start + String(digit))) return start + String(digit)
  throw new Error('one digit of ten always fits')
}

/** A secret that must be known by its value, as a client may write it. */
export function byValue(random: Random): string {
  const pan = cardNumber(random)
  const groups = pan.replace(/(\d{4})(?=\d)/g, '$1 ')
  return pick(random, [
    pan,
    pan,
    groups,
    groups.replaceAll(' ', '-'),
    `card ${groups} 12-30`,
    `7 ${pan} 123`,
    `paid with ${pan}, thanks`,
    canaryKey,
    `${canaryKey}.w1`,
    canarySecret,
    canaryToken,
    lateKey,
    lateSecret,
  ])
}

/** A secret that is recognized only by the name next to it. */
export function byName(random: Random): string {
  return `${word}${random(1_000_000)}`
}

/** Every canary in a text, also in one that is percent-encoded. */
export function leaksIn(text: string): string[] {
  const decoded = text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded)
    } catch {
      return encoded
    }
  })
  return (decoded === text ? [text] : [text, decoded]).flatMap((plain) => [
    ...wordsIn(plain),
    ...cardsIn(plain),
  ])
}

function wordsIn(text: string): string[] {
  const found: string[] = []
  const lower = text.toLowerCase()
  for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + 1)) {
    found.push(text.slice(Math.max(0, at - 60), at + 60))
  }
  return found
}

function cardsIn(text: string): string[] {
  return (text.match(/\d(?:[ -]?\d){15,}/g) ?? []).filter((run) => cards.test(run.replace(/[ -]/g, '')))
}

const cards = new RegExp(`${prefix}\\d{10}`)
