import { describe, expect, it } from 'vitest'
import { tokens } from '../../../src/inspector/style/tokens.ts'

/** The colours of one scheme by their names. */
function coloursOf(scheme: 'light' | 'dark'): Map<string, string> {
  const found = tokens.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)
  return new Map(
    Array.from(found, ([, name = '', light = '', dark = '']) => [name, scheme === 'light' ? light : dark]),
  )
}

/** The relative luminance of a colour, as WCAG 2 defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const pairs: readonly [text: string, back: string][] = [
  ...['page', 'card', 'code', 'marked'].flatMap((back): [string, string][] => [
    ['text', back],
    ['good', back],
    ['warn', back],
    ['bad', back],
  ]),
  ['soft', 'page'],
  ['soft', 'card'],
  ['soft', 'track'],
  ['accent', 'page'],
  ['accent', 'card'],
  ['on-accent', 'accent'],
  ['good', 'good-back'],
  ['warn', 'warn-back'],
  ['bad', 'bad-back'],
  ['card', 'text'],
]

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  const colours = coloursOf(scheme)

  it.each(pairs)('%s reads on %s', (text, back) => {
    expect(contrast(colours.get(text) ?? '', colours.get(back) ?? '')).toBeGreaterThanOrEqual(4.5)
  })

  it.each(['edge', 'good-fill'])('%s stands out from a card', (name) => {
    expect(contrast(colours.get(name) ?? '', colours.get('card') ?? '')).toBeGreaterThanOrEqual(3)
  })
})
