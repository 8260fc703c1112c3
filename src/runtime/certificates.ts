// Makes the certificate of a server, and the authority that signs it. Node's crypto makes keys and signatures, and reads
// certificates, but writes none; these are the few parts of X.509 (RFC 5280) that clients check.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { isIP } from 'node:net'

/** A certificate, its private key, and the authority that signed it, each as PEM. The key of the authority is not kept. */
export interface ServerCertificate {
  readonly cert: string
  readonly key: string
  readonly ca: string
}

/** The contents of a certificate. */
interface Subject {
  commonName: string
  /** The DNS names and addresses of a server; none for an authority. */
  names?: readonly string[]
  /** SPKI, as DER. */
  publicKey: Buffer
}

/** The lifetime of a certificate in days. Some clients accept no longer one. */
export const certificateDays = 397

const dayMs = 86_400_000

/**
 * Makes a certificate for a server, and an authority that signs it and nothing else.
 * @param names DNS names and addresses. @param now the time (ms). @param serial 16 random bytes.
 * @example serverCertificate(['localhost', '127.0.0.1'], Date.now(), randomBytes(16))
 */
export function serverCertificate(names: readonly string[], now: number, serial: Buffer): ServerCertificate {
  const authority = newKey()
  const server = newKey()
  // Two authorities with one name and different keys would confuse a client that has both.
  const commonName = `partner-rewards-sandbox ${serial.toString('hex', 0, 4)}`
  const issuer: Subject = { commonName, publicKey: authority.publicKey }
  const signed = (subject: Subject, number: number): string => {
    // The number comes first, as DER allows no integer that begins with a superfluous zero.
    const part = unsigned(subject, issuer, now, Buffer.concat([Buffer.of(number), serial]))
    const signature = sign('sha256', part, createPrivateKey(authority.key))
    return pem('CERTIFICATE', sequence(part, signatureAlgorithm, bits(signature)))
  }
  return {
    ca: signed(issuer, 1),
    cert: signed({ commonName: names[0] ?? 'localhost', names, publicKey: server.publicKey }, 2),
    key: server.key,
  }
}

function newKey(): { key: string; publicKey: Buffer } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
  }
}

/** The part of a certificate that is signed: TBSCertificate. */
function unsigned(subject: Subject, issuer: Subject, now: number, serial: Buffer): Buffer {
  const isAuthority = subject.names === undefined
  const uses = isAuthority
    ? [extension('2.5.29.19', sequence(boolean(true)), true), extension('2.5.29.15', usage(0x06), true)]
    : [
        extension('2.5.29.19', sequence(), true),
        extension('2.5.29.15', usage(0x80), true),
        extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1'))),
        extension('2.5.29.17', sequence(...(subject.names ?? []).map(generalName))),
        extension('2.5.29.35', sequence(tagged(0x80, keyId(issuer.publicKey)))),
      ]
  return sequence(
    tagged(0xa0, integer(Buffer.of(2))),
    integer(serial),
    signatureAlgorithm,
    nameOf(issuer),
    // Since yesterday, as the clock of a client in another machine may be behind.
    sequence(time(now - dayMs), time(now + (certificateDays - 1) * dayMs)),
    nameOf(subject),
    subject.publicKey,
    tagged(0xa3, sequence(...uses, extension('2.5.29.14', tagged(0x04, keyId(subject.publicKey))))),
  )
}

const nameOf = ({ commonName }: Subject): Buffer =>
  sequence(tagged(0x31, sequence(oid('2.5.4.3'), tagged(0x0c, Buffer.from(commonName)))))

/** A DNS name, or the bytes of an address. */
function generalName(name: string): Buffer {
  return isIP(name) === 0 ? tagged(0x82, Buffer.from(name)) : tagged(0x87, addressBytes(name))
}

/** @example addressBytes('::1')   // 16 bytes */
function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  // As a URL writes it, an address of version 6 has no part of version 4.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))
  const [first, last] = [groups(head), groups(tail ?? '')]
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return Buffer.from([...first, ...zeros, ...last].map((group) => group.padStart(4, '0')).join(''), 'hex')
}

const keyId = (publicKey: Buffer): Buffer => createHash('sha256').update(publicKey).digest().subarray(0, 20)

const extension = (id: string, value: Buffer, isCritical = false): Buffer =>
  sequence(oid(id), ...(isCritical ? [boolean(true)] : []), tagged(0x04, value))

/** @param flags the bits of KeyUsage: 0x80 for signatures, 0x06 for certificates and revocation lists. */
const usage = (flags: number): Buffer => tagged(0x03, Buffer.of(flags === 0x80 ? 7 : 1, flags))

// DER (X.690): each value is a tag, the length of its contents, and its contents.

function tagged(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts)
const boolean = (value: boolean): Buffer => tagged(0x01, Buffer.of(value ? 0xff : 0))
const bits = (value: Buffer): Buffer => tagged(0x03, Buffer.of(0), value)

/** @param value begins with a byte from 0x01 to 0x7f, as the first bit is the sign. */
const integer = (value: Buffer): Buffer => tagged(0x02, value)

/** The time in UTC, to the second; the form with two digits for the year ends in 2049. */
function time(at: number): Buffer {
  const text = new Date(at).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return text < '2050' ? tagged(0x17, Buffer.from(text.slice(2))) : tagged(0x18, Buffer.from(text))
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** Seven bits a byte; each byte but the last has the highest bit. */
function base128(value: number): number[] {
  const bytes = [value & 0x7f]
  for (let left = value >> 7; left > 0; left >>= 7) bytes.unshift((left & 0x7f) | 0x80)
  return bytes
}

const signatureAlgorithm = sequence(oid('1.2.840.10045.4.3.2'))

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}
