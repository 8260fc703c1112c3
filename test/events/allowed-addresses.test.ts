import { describe, expect, it } from 'vitest'
import { AllowedAddresses, isLoopback } from '../../src/events/allowed-addresses.ts'
import { hostOf } from '../../src/input/allowed-host.ts'

const loopbackOnly = new AllowedAddresses([], true)
const none = new AllowedAddresses([], false)

describe('isLoopback', () => {
  it.each([
    '127.0.0.1',
    '127.0.0.0',
    '127.255.255.255',
    '127.1.2.3',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::FFFF:127.1.2.3',
  ])('%s is', (address) => {
    expect(isLoopback(address)).toBe(true)
  })

  it.each([
    '0.0.0.0',
    '::',
    '::ffff:0.0.0.0',
    '128.0.0.1',
    '126.255.255.255',
    '10.0.0.1',
    '172.17.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '255.255.255.255',
    'fe80::1',
    'fe80::1%lo',
    'fc00::1',
    '::2',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    'localhost',
    '',
  ])('%j is not', (address) => {
    expect(isLoopback(address)).toBe(false)
  })
})

describe('URLs whose host is an address', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://[::1]/',
    'http://[0:0::1]:8080/',
    'http://[::ffff:127.0.0.1]/',
    'https://127.9.9.9:444/',
  ])('%s -> allowed, without a warning; with --isolation partner refused', (text) => {
    const url = new URL(text)
    expect([loopbackOnly.allows(url, hostOf(url)), loopbackOnly.warningFor(url)]).toEqual([true, undefined])
    expect([none.allows(url, hostOf(url)), typeof none.warningFor(url)]).toEqual([false, 'string'])
  })

  it.each([
    ['http://0.0.0.0/', '0.0.0.0'],
    ['http://0/', '0.0.0.0'],
    ['http://10.0.0.1:3000/', '10.0.0.1'],
    ['http://167772161/', '10.0.0.1'],
    ['http://169.254.169.254/', '169.254.169.254'],
    ['http://0xa9fea9fe/', '169.254.169.254'],
    ['http://[::]/', '[::]'],
    ['http://[fe80::1]/', '[fe80::1]'],
    ['http://[::ffff:10.0.0.1]/', '[::ffff:a00:1]'],
  ])('%s -> refused, and a warning says how to allow it', (text, shown) => {
    const url = new URL(text)
    expect(loopbackOnly.allows(url, hostOf(url))).toBe(false)
    const message = `${shown} is not allowed: only loopback addresses are allowed. Start the sandbox with --webhook-allow ${shown}`
    expect([loopbackOnly.warningFor(url), loopbackOnly.refusal(url, hostOf(url))]).toEqual([message, message])
    const allowing = new AllowedAddresses([shown], false)
    expect([allowing.allows(url, hostOf(url)), allowing.warningFor(url)]).toEqual([true, undefined])
  })
})

describe('URLs whose host is a name', () => {
  it.each(['http://localhost/', 'http://LocalHost./', 'http://x.localhost:3000/'])(
    '%s -> no warning, but only at a loopback address',
    (text) => {
      const url = new URL(text)
      expect(loopbackOnly.warningFor(url)).toBeUndefined()
      expect(loopbackOnly.allows(url, '127.0.0.1')).toBe(true)
      expect(loopbackOnly.allows(url, '10.0.0.1')).toBe(false)
    },
  )

  it.each(['http://partner.example/', 'http://localhost.example/', 'http://notlocalhost/'])(
    '%s -> a warning, and still allowed at a loopback address',
    (text) => {
      const url = new URL(text)
      expect(loopbackOnly.warningFor(url)).toBe(
        `${url.hostname} is not allowed unless it resolves to a loopback address. Start the sandbox with --webhook-allow ${url.hostname}`,
      )
      expect(none.warningFor(url)).toBe(
        `${url.hostname} is not allowed: with --isolation partner no address is allowed by itself. Start the sandbox with --webhook-allow ${url.hostname}`,
      )
      expect(loopbackOnly.allows(url, '127.0.0.1')).toBe(true)
    },
  )

  it('at an address that is refused -> the reason names both', () => {
    expect(loopbackOnly.refusal(new URL('http://partner.example/'), '10.0.0.1')).toBe(
      'partner.example (10.0.0.1) is not allowed: only loopback addresses are allowed. Start the sandbox with --webhook-allow partner.example',
    )
  })

  it.each(['http://localhost/', 'http://partner.example/'])(
    '%s with --isolation partner -> refused by its name, also if it may resolve to an allowed address',
    (text) => {
      const url = new URL(text)
      const message = `${url.hostname} is not allowed: with --isolation partner no address is allowed by itself. Start the sandbox with --webhook-allow ${url.hostname}`
      const addresses = new AllowedAddresses(['127.0.0.1'], false)
      expect([addresses.refusalOf(url), addresses.warningFor(url)]).toEqual([message, message])
      const allowing = new AllowedAddresses([url.hostname], false)
      expect([allowing.refusalOf(url), allowing.warningFor(url)]).toEqual([undefined, undefined])
      expect(loopbackOnly.refusalOf(url)).toBeUndefined()
    },
  )
})

describe('--webhook-allow', () => {
  it.each<[allowed: string, url: string, address: string, isAllowed: boolean]>([
    ['receiver', 'http://receiver/', '10.0.0.1', true],
    ['receiver', 'http://RECEIVER.:3000/', '10.0.0.1', true],
    ['RECEIVER', 'http://receiver/', '10.0.0.1', true],
    ['receiver', 'http://other/', '10.0.0.1', false],
    ['receiver', 'http://a.receiver/', '10.0.0.1', false],
    ['receiver:3000', 'http://receiver:3000/', '10.0.0.1', true],
    ['receiver:3000', 'http://receiver:3001/', '10.0.0.1', false],
    ['receiver:80', 'http://receiver/', '10.0.0.1', true],
    ['receiver:80', 'https://receiver/', '10.0.0.1', false],
    ['receiver:443', 'https://receiver/', '10.0.0.1', true],
    ['10.0.0.1', 'http://10.0.0.1/', '10.0.0.1', true],
    ['10.0.0.1', 'http://receiver/', '10.0.0.1', true],
    ['10.0.0.1', 'http://receiver/', '10.0.0.2', false],
    ['10.0.0.1:80', 'http://10.0.0.1:81/', '10.0.0.1', false],
    ['[fd00::1]', 'http://[fd00:0::1]/', 'fd00::1', true],
    ['[fd00::1]:81', 'http://receiver:81/', 'fd00::1', true],
    ['[fd00::1]:81', 'http://receiver:82/', 'fd00::1', false],
  ])('%s: %s at %s -> %j', (allowed, url, address, isAllowed) => {
    const addresses = new AllowedAddresses(['unrelated', allowed], false)
    expect(addresses.allows(new URL(url), address)).toBe(isAllowed)
  })
})
