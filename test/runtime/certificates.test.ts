import { createPrivateKey, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { certificateDays, serverCertificate } from '../../src/runtime/certificates.ts'

const now = Date.parse('2027-01-02T03:04:05.678Z')
const names = ['localhost', '127.0.0.1', '::1', 'api.provider.example', '2001:db8::7:0:1']
const made = serverCertificate(names, now, Buffer.alloc(16, 0xab))
const [cert, ca] = [new X509Certificate(made.cert), new X509Certificate(made.ca)]

describe('the certificate of a server', () => {
  it('is signed by its authority, which is signed by itself', () => {
    expect(cert.verify(ca.publicKey)).toBe(true)
    expect(cert.checkIssued(ca)).toBe(true)
    expect(ca.verify(ca.publicKey)).toBe(true)
    expect([cert.ca, ca.ca]).toEqual([false, true])
  })

  it('is for its names and addresses, and no others', () => {
    for (const name of ['localhost', 'api.provider.example']) expect(cert.checkHost(name)).toBe(name)
    for (const address of ['127.0.0.1', '::1', '2001:db8::7:0:1']) expect(cert.checkIP(address)).toBe(address)
    expect(cert.checkHost('provider.example')).toBeUndefined()
    expect(cert.checkIP('127.0.0.2')).toBeUndefined()
  })

  it('is valid from the day before, for 397 days', () => {
    expect(Date.parse(cert.validFrom)).toBe(Date.parse('2027-01-01T03:04:05Z'))
    const days = (Date.parse(cert.validTo) - Date.parse(cert.validFrom)) / 86_400_000
    expect(days).toBe(certificateDays)
  })

  it.each(['2049-12-31T23:59:59Z', '2050-06-01T00:00:00Z'])('is valid at %s', (at) => {
    const later = new X509Certificate(
      serverCertificate(['localhost'], Date.parse(at), Buffer.alloc(16, 1)).cert,
    )
    expect(Date.parse(later.validFrom)).toBe(Date.parse(at) - 86_400_000)
  })

  it('has its own private key', () => {
    expect(cert.checkPrivateKey(createPrivateKey(made.key))).toBe(true)
  })

  it.each([0x00, 0x7f, 0x80, 0xff])('can be read with a serial of bytes %i', (byte) => {
    const other = serverCertificate(names, now, Buffer.alloc(16, byte))
    for (const pem of [other.cert, other.ca]) expect(new X509Certificate(pem).serialNumber).toMatch(/^0[12]/)
  })

  it('differs from the next one by serial and authority', () => {
    const next = serverCertificate(names, now, Buffer.alloc(16, 0xcd))
    expect(new X509Certificate(next.cert).serialNumber).not.toBe(cert.serialNumber)
    expect(new X509Certificate(next.cert).verify(ca.publicKey)).toBe(false)
    expect(new X509Certificate(next.ca).subject).not.toBe(ca.subject)
  })
})
