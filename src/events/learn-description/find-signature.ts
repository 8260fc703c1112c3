// Finds how a request was signed: computes the signature of every candidate, and compares it with the headers.
import { createHmac } from 'node:crypto'
import type { KeyForm } from '../description-schema.ts'
import type { CapturedRequest } from './captured-request.ts'
import { possibleHashes } from './digests.ts'
import { keysOf } from './secret-forms.ts'
import { signedValues } from './seen-values.ts'
import { bodyPart, signedCandidates, signedText, type SignedPart } from './signed-candidates.ts'

/** How a request was signed, with the signature in both encodings. */
export interface SignatureMatch {
  readonly algorithm: 'hmac-sha256' | 'hmac-sha1' | 'hmac-sha512'
  readonly key: KeyForm
  readonly signed: readonly SignedPart[]
  /** Another meaning of the same text, if it has one. */
  readonly other: readonly SignedPart[] | undefined
  readonly hex: string
  readonly base64: string
  readonly body: string
}

/** The result of a search; without a match, with the number of candidates and a reason, if one is known. */
export type SignatureSearch =
  | { readonly match: SignatureMatch }
  | { readonly match?: never; readonly tried: number; readonly reason: string | undefined }

/** Finds how a request was signed. */
export function findSignature(request: CapturedRequest, secret: string): SignatureSearch {
  const { bodies } = request
  const { tried, found } = searchIn(request, secret, bodies, 'all')
  if (found) return { match: found }
  const reason = searchIn(request, secret, bodies, 'inexpressible').reason ?? reasonOfBody(request, secret)
  return { tried, reason }
}

/** Returns the value of a JSON text; undefined for another text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Searches the candidates.
 *
 * @param bodies the bodies that may be signed.
 * @param kind `all` that a description can express, only `short` ones of these, or also short ones that are
 * `inexpressible`, for the reason.
 */
function searchIn(
  request: CapturedRequest,
  secret: string,
  bodies: readonly string[],
  kind: 'all' | 'short' | 'inexpressible',
): { tried: number; found?: SignatureMatch; reason?: string } {
  const forReason = kind === 'inexpressible'
  const sent = [...request.headers.values()].join('\n')
  const values = signedValues(request, jsonOf(request.bodies[0]), forReason)
  const [hashes, keys] = [possibleHashes(request.headers), keysOf(secret)]
  let tried = 0
  for (const signed of signedCandidates(values, kind !== 'all')) {
    for (const body of bodies) {
      const text = signedText(signed, body)
      for (const { algorithm, hash } of hashes) {
        for (const { form: key, bytes } of keys) {
          tried += 1
          const digest = createHmac(hash, bytes).update(text).digest()
          const [hex, base64] = [digest.toString('hex'), digest.toString('base64')]
          const isSent = sent.includes(hex) || sent.includes(base64)
          if (isSent && !forReason) {
            const [meaning, other] = meaningsOf({ signed, body }, values, bodies)
            return { tried, found: { algorithm, key, hex, base64, ...meaning, other: other?.signed } }
          }
          if (!forReason) continue
          const reason = isSent ? reasonOf(signed) : encodingReason(sent, digest)
          if (reason !== undefined) return { tried, reason: `${reason} (${algorithm}, key ${key})` }
        }
      }
    }
  }
  return { tried }
}

/** A signed text as parts, and the body in it. */
type Meaning = Pick<SignatureMatch, 'signed' | 'body'>

/**
 * Returns the likeliest meaning of a signed text, and another one, if it has one. A line break behind the body is rather
 * of the signed text than of the body, and in the file of an editor.
 */
function meaningsOf(
  found: Meaning,
  values: ReturnType<typeof signedValues>,
  bodies: readonly string[],
): [Meaning, Meaning | undefined] {
  const text = signedText(found.signed, found.body)
  const own = meaningOf(found.signed)
  const present = values.filter((value) => text.includes(value.text))
  for (const signed of signedCandidates(present)) {
    if (meaningOf(signed) === own) continue
    const body = bodies.find((one) => signedText(signed, one) === text)
    if (body === undefined) continue
    const other = { signed, body }
    return body.length < found.body.length ? [other, found] : [found, other]
  }
  return [found, undefined]
}

/** Labels are literal text, so that `v1` as a label and as another value differ, and its separators do not. */
const meaningOf = (signed: readonly SignedPart[]): string =>
  signed
    .map((part) => {
      if (part === bodyPart) return '{body}'
      return typeof part === 'string' || part.kind === 'label' ? signedText([part], '') : `{${part.kind}}`
    })
    .join('')

function reasonOf(signed: readonly SignedPart[]): string | undefined {
  const problems = signed.flatMap((part) => (typeof part === 'object' ? (part.problem ?? []) : []))
  return problems.length === 0
    ? undefined
    : `the signature covers ${problems.join(' and ')}, which a description cannot write`
}

function encodingReason(sent: string, digest: Buffer): string | undefined {
  const base64 = digest.toString('base64').replace(/=+$/, '')
  if (sent.includes(digest.toString('hex').toUpperCase()))
    return 'the signature is hex in upper case, which a description cannot write'
  if (sent.includes(digest.toString('base64url')) || sent.includes(base64))
    return 'the signature is base64 without padding or for URLs, which a description cannot write'
  return undefined
}

/** A body that was formatted or whose line breaks were converted is not the one that was signed. */
function reasonOfBody(request: CapturedRequest, secret: string): string | undefined {
  const [body] = request.bodies
  const json = jsonOf(body)
  const others = [
    ...(json === undefined ? [] : [JSON.stringify(json), JSON.stringify(json, null, 2)]),
    body.replaceAll('\r\n', '\n'),
    body.replaceAll(/\r?\n/g, '\r\n'),
  ]
  const changed = [...new Set(others)].filter((other) => !request.bodies.includes(other))
  if (searchIn(request, secret, changed, 'short').found)
    return 'the signature is that of the body with other spaces or line breaks: save the bytes of the body as they were sent'
  return undefined
}
