import { describe, expect, it } from 'vitest'
import {
  AddressError,
  readStoreAddress,
  withPassword,
  type StoreAddress,
} from '../../src/input/store-address.ts'

const one = (host: string, port = 6379) => ({ hosts: [{ host, port }], tls: false })

describe('an address', () => {
  it.each<[string, StoreAddress]>([
    ['redis://localhost', { ...one('localhost'), shown: 'redis://localhost:6379' }],
    ['redis://localhost/', { ...one('localhost'), shown: 'redis://localhost:6379' }],
    ['redis://10.0.0.1:7000/2', { ...one('10.0.0.1', 7000), db: 2, shown: 'redis://10.0.0.1:7000/2' }],
    ['redis://h/0', { ...one('h'), db: 0, shown: 'redis://h:6379/0' }],
    ['redis://[::1]:7000', { ...one('::1', 7000), shown: 'redis://[::1]:7000' }],
    ['redis://[fe80::1]', { ...one('fe80::1'), shown: 'redis://[fe80::1]:6379' }],
    ['rediss://a.example', { ...one('a.example'), tls: true, shown: 'rediss://a.example:6379' }],
    ['redis://:pw@h', { ...one('h'), password: 'pw', shown: 'redis://:***@h:6379' }],
    ['redis://app@h', { ...one('h'), username: 'app', shown: 'redis://app@h:6379' }],
    ['redis://app:@h', { ...one('h'), username: 'app', shown: 'redis://app@h:6379' }],
    [
      'redis://app:p:w@d@h/1',
      { ...one('h'), username: 'app', password: 'p:w@d', db: 1, shown: 'redis://app:***@h:6379/1' },
    ],
    [
      'redis://a%40b:%2F%3F%23%25%C3%A9@h',
      { ...one('h'), username: 'a@b', password: '/?#%é', shown: 'redis://a%40b:***@h:6379' },
    ],
    [
      'rediss://u:p@a:1,b,[::1]:65535',
      {
        hosts: [
          { host: 'a', port: 1 },
          { host: 'b', port: 6379 },
          { host: '::1', port: 65_535 },
        ],
        tls: true,
        username: 'u',
        password: 'p',
        shown: 'rediss://u:***@a:1,b:6379,[::1]:65535',
      },
    ],
  ])('%s', (text, address) => {
    expect(readStoreAddress(text)).toEqual(address)
  })

  const form = 'must be memory, or redis[s]://[USER:PASSWORD@]HOST:PORT[,HOST:PORT…][/DB]'
  const hosts =
    'must name each host as HOST:PORT, separated by commas, and an IPv6 address in brackets, such as [::1]:6379'
  const ports = 'must have ports from 1 to 65535'
  const escaped = 'must have /, ? and # in its user name and password as %2F, %3F and %23'
  const number = 'must have a number after the slash, which is the DB'
  it.each([
    ['', form],
    ['s3cret', form],
    ['localhost:6379', form],
    ['http://u:s3cret@h', form],
    ['REDIS://h', form],
    ['redis:h', form],
    ['redis://', hosts],
    ['redis://u:s3cret@', hosts],
    ['redis://u:s3cret@h:', hosts],
    ['redis://u:s3cret@a,,b', hosts],
    ['redis://u:s3cret@::1', hosts],
    ['redis://u:s3cret@[::1', hosts],
    ['redis://u:s3cret@a b', hosts],
    ['redis://u:s3cret@h:x', hosts],
    ['redis://u:s3cret@h:0', ports],
    ['redis://u:s3cret@h:65536', ports],
    ['redis://u:s3cret@h?db=1', 'must have no query and no fragment; a DB follows a slash'],
    ['redis://u:s3cret@h#1', 'must have no query and no fragment; a DB follows a slash'],
    ['redis://u:s3/cret@h', escaped],
    ['redis://u:s3?cret@h', escaped],
    ['redis://u:s3#cret@h', escaped],
    ['redis://u:s3%cret@h', 'must have % in its user name and password as %25'],
    ['redis://u:s3cret@h/x', number],
    ['redis://u:s3cret@h/1/2', number],
    ['redis://u:s3cret@h/-1', number],
    [
      'redis://u:s3cret@a,b/0',
      'must have no DB after the hosts: several hosts are a cluster, which has none',
    ],
  ])('%j -> refused by one sentence that never repeats it', (text, message) => {
    expect(() => readStoreAddress(text)).toThrow(new AddressError(message))
    expect(message).not.toContain('s3')
  })
})

it.each([
  ['memory', 'pw', 'memory'],
  ['redis://h', undefined, 'redis://h'],
  ['redis://h', '', 'redis://h'],
  ['redis://h/1', 'pw', 'redis://:pw@h/1'],
  ['rediss://app@h:1,i', 'p@/?#:%', 'rediss://app:p%40%2F%3F%23%3A%25@h:1,i'],
  ['redis://a%40b:old@h', 'new', 'redis://a%40b:new@h'],
  ['redis://a:o@ld@h', 'new', 'redis://a:new@h'],
])('%s with the password %j -> %s', (address, password, expected) => {
  expect(withPassword(address, password)).toBe(expected)
})
