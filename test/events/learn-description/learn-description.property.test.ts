// Generated descriptions: one that is learned from a delivery agrees with the next delivery, or names the difference.
import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { providerName, writeDelivery, writeHeaders } from '../../../src/events/delivery.ts'
import { descriptionText } from '../../../src/events/learn-description/description-text.ts'
import { learnDescription, type LearnedDescription } from '../../../src/events/learn-description/index.ts'
import { deliveriesIn } from '../../../src/events/learn-description/read-delivery.ts'
import { readDescription } from '../../../src/events/read-description.ts'
import { keyOf } from '../../../src/events/signature.ts'
import { pathName } from '../../../src/input/problems.ts'
import { sourceFromText } from '../../../src/input/source-file.ts'
import { isJsonObject } from '../../../src/json/json-object.ts'
import { harText, rawHttp } from '../../helpers/captured-deliveries.ts'
import { describedProviders, type Described, type DescribedProvider } from '../../helpers/described-events.ts'
import { samples } from '../../setup/samples.ts'

/** Learns from the first delivery, as raw HTTP or HAR. */
async function learnFirst(provider: DescribedProvider, form: number): Promise<LearnedDescription> {
  const { description, events, secrets, known } = provider
  const [{ event, time }] = events
  const delivery = writeDelivery(description, event, { time, secrets })
  const files = [
    rawHttp(delivery),
    rawHttp(delivery, { end: '\n' }),
    rawHttp(delivery, { line: '\r\n', end: '\r\n' }),
    harText(delivery),
  ]
  const requests = await deliveriesIn(Buffer.from(files[form] ?? ''), 'captured')
  const learned = learnDescription(requests, secrets[known] ?? '')
  if (!('description' in learned)) throw new Error(JSON.stringify(learned))
  return learned
}

/** Whether a position, or one around it, is named as undecided. The header with the signature shows the signed text. */
const isNamed = ({ undecided, description }: LearnedDescription, at: string): boolean =>
  undecided.some(
    ({ at: named }) =>
      named === 'signing.signed' &&
      description.headers?.[at.replace('headers.', '')]?.includes('{signature:'),
  ) || undecided.some((one) => at === one.at || at.startsWith(`${one.at}.`) || at.startsWith(`${one.at}[`))

/** The positions at which two bodies differ. */
function differences(a: unknown, b: unknown, path: (string | number)[]): string[] {
  if (isDeepStrictEqual(a, b)) return []
  if (!isJsonObject(a) || !isJsonObject(b)) return [pathName(path)]
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) =>
    differences(a[key], b[key], [...path, key]),
  )
}

/** The positions at which the second delivery differs by the learned description, over the body of the provider. */
function wrongParts(
  { description, secrets, known }: DescribedProvider,
  learned: LearnedDescription,
  second: Described,
): string[] {
  const attempt = { time: second.time, secrets: [secrets[known] ?? ''] }
  const sent = writeDelivery(description, second.event, attempt)
  // Names that one delivery cannot show are checked on their own.
  const ours = { ...learned.description, names: description.names }
  const headers = writeHeaders(ours, second.event, attempt, sent.body)
  const written = writeDelivery(ours, second.event, attempt)
  const theirs = Object.fromEntries(
    Object.entries(sent.headers).map(([name, text]) => [name.toLowerCase(), text]),
  )
  const names = new Set([...Object.keys(headers), ...Object.keys(theirs)])
  return [
    ...[...names].filter((name) => headers[name] !== theirs[name]).map((name) => `headers.${name}`),
    ...differences(JSON.parse(written.body), JSON.parse(sent.body), ['body']),
  ]
}

it('a second delivery agrees with what was learned from the first, or the difference is named', async () => {
  await fc.assert(
    fc.asyncProperty(describedProviders, fc.nat(3), async (provider, form) => {
      const { description, events, secrets, known } = provider
      const learned = await learnFirst(provider, form)
      const [, second] = events
      const secret = secrets[known] ?? ''

      // The key and the algorithm are never a guess.
      const [theirs, ours] = [description.signing, learned.description.signing]
      if (theirs.algorithm === 'none' || ours.algorithm === 'none') throw new Error('it signs')
      expect([ours.algorithm, keyOf(secret, ours.key)]).toEqual([theirs.algorithm, keyOf(secret, theirs.key)])
      if (secrets.length > 1 && theirs.join !== 'none' && !isNamed(learned, 'signing.join'))
        expect(ours.join).toBe(theirs.join)

      // A style is found wherever the type is; a name of the provider's own is for one type.
      const { type } = events[0].event
      const isShown = /\{event\.type\}/.test(JSON.stringify([description.body, description.headers]))
      expect(isNamed(learned, 'names')).toBe(true)
      if (isShown && typeof description.names === 'string')
        expect(learned.description.names).toBe(description.names)
      if (isShown && typeof learned.description.names === 'object')
        expect(Object.values(learned.description.names)).toEqual([providerName(description, type)])

      // Every difference is named; with equal times, also one that is named for its time verifies.
      const wrong = wrongParts(provider, learned, second)
      expect(wrong.filter((at) => !isNamed(learned, at))).toEqual([])
      const at = Math.floor(second.time / 1000) * 1000
      const together = { event: { ...second.event, time: new Date(at).toISOString() }, time: at }
      const signature = Object.keys(description.headers ?? {})
        .at(-1)
        ?.toLowerCase()
      expect(wrongParts(provider, learned, together)).not.toContain(`headers.${signature}`)

      // The file is the description, and has no secret.
      const text = descriptionText(learned, 'webhooks.yaml')
      expect(readDescription(await sourceFromText(text, 'webhooks.yaml', '.yaml'))).toEqual(
        learned.description,
      )
      for (const one of secrets) expect(text).not.toContain(one)
    }),
    { numRuns: samples(200) },
  )
}, 120_000)
