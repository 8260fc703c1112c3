import { describe, expect, it } from 'vitest'
import { hostOf, readAllowedHost } from '../../src/input/allowed-host.ts'

describe('readAllowedHost', () => {
  it.each<[string, { name: string; port: number | undefined }]>([
    ['receiver', { name: 'receiver', port: undefined }],
    ['host.docker.internal:3000', { name: 'host.docker.internal', port: 3000 }],
    ['Receiver.Example.', { name: 'receiver.example', port: undefined }],
    ['10.0.0.1', { name: '10.0.0.1', port: undefined }],
    ['10.0.0.1:80', { name: '10.0.0.1', port: 80 }],
    ['0x7f.1', { name: '127.0.0.1', port: undefined }],
    ['[::1]', { name: '::1', port: undefined }],
    ['[::1]:3000', { name: '::1', port: 3000 }],
    ['[FE80:0:0::1]', { name: 'fe80::1', port: undefined }],
    ['bücher.example', { name: 'xn--bcher-kva.example', port: undefined }],
    ['receiver:0', { name: 'receiver', port: 0 }],
    ['receiver:65535', { name: 'receiver', port: 65_535 }],
  ])('%s -> %j', (text, host) => {
    expect(readAllowedHost(text)).toEqual(host)
  })

  it.each([
    '',
    ':3000',
    'receiver:',
    'receiver:x',
    'receiver:65536',
    'receiver:123456',
    'http://receiver',
    'receiver/hook',
    'user@receiver',
    'receiver?x',
    'receiver#x',
    'a b',
    '::1',
    '[::1',
    '[::g]',
    '[receiver]',
    '256.0.0.1',
    '%zz',
  ])('%j -> none', (text) => {
    expect(readAllowedHost(text)).toBeUndefined()
  })
})

describe('hostOf', () => {
  it.each([
    ['http://localhost:1/x', 'localhost'],
    ['http://LOCALHOST./', 'localhost'],
    ['http://[::1]:1/', '::1'],
    ['http://2130706433/', '127.0.0.1'],
  ])('%s -> %s', (url, host) => {
    expect(hostOf(new URL(url))).toBe(host)
  })
})
