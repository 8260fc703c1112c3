// Pseudo-random values: they all derive from `--seed`, so that the same seed gives the same bytes.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Returns a 32-bit hash of words, for the choice of plausible values; not for secrets. */
export function hash32(...words: (string | number)[]): number {
  let hash = 0x811c9dc5
  for (const word of words) {
    const text = String(word)
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    // A separator after each word makes ('ab', 'c') and ('a', 'bc') differ.
    hash = Math.imul(hash ^ 0x1f, 0x01000193)
  }
  return mix32(hash)
}

/**
 * Spreads a 32-bit number over all its bits. It is a bijection, so different numbers stay different (the finalizer of
 * murmur3).
 */
export function mix32(value: number): number {
  let bits = value | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/**
 * Returns a key for signing, one for each purpose. It derives from the seed, so it guards against mistakes and not
 * against attacks.
 */
export function signingKey(seed: number, purpose: string): Buffer {
  return createHash('sha256').update(`partner-rewards-sandbox/${purpose}/${seed}`).digest()
}

/** Returns the signature of a text: 128 bits of HMAC-SHA-256 as base64url. */
export function sign(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest().subarray(0, 16).toString('base64url')
}

/** Derives 32 bytes from a secret for one purpose. They reveal neither the secret nor the bytes of another purpose. */
export function derived(secret: string | Buffer, ...purpose: (string | number)[]): Buffer {
  return createHmac('sha256', secret).update(JSON.stringify(purpose)).digest()
}

/** Compares two texts in a time that depends only on their lengths. */
export function isSameSecret(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}
