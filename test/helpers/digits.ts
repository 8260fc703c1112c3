// Texts that are made to be hard to find card numbers in: digits in groups of any kind, with published numbers among them.
import fc from 'fast-check'
import { testCards } from '../../src/secrets/cards.ts'

const separators = fc.constantFrom('', ' ', '-', '+')

const published = fc
  .tuple(fc.constantFrom(...testCards.map(({ pan }) => pan)), separators, fc.integer({ min: 1, max: 6 }))
  .map(([pan, separator, size]) => pan.replace(new RegExp(`(\\d{${size}})(?=\\d)`, 'g'), `$1${separator}`))

const digits = (characters: string) => fc.string({ unit: fc.constantFrom(...characters), maxLength: 40 })

export const hostileDigits = fc
  .array(
    fc.oneof(
      digits('0123456789'),
      digits('0123456789 -'),
      digits('01 '),
      digits('42+ -x.'),
      separators,
      published,
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))
