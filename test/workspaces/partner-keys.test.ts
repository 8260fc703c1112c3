import { describe, expect, it } from 'vitest'
import { partnerIsolation } from '../../src/workspaces/isolation-policy.ts'
import type { ApiKeyRow } from '../../src/store/rows.ts'
import { isGeneratedKey, maskMadeKeys } from '../../src/secrets/mask.ts'

const secret = 'a-secret-of-the-sandbox'
const row: ApiKeyRow = {
  id: 'key_1',
  secret: 'chosen',
  api_key: 'chosen',
  scopes: [],
  products: ['mk_summit'],
  environment: 'sandbox',
  created_at: '2026-01-01T00:00:00.000Z',
}

/** Partners whose lineages count, as where nothing is kept. */
const counting = (root = secret) => partnerIsolation(root, (earlier) => String(earlier + 1))

/** All that derives for a workspace. */
function all(partners: ReturnType<typeof counting>, isolation = partners.begin('acme')): string[] {
  const keys = partners.keysOf(isolation)
  const { api_key: apiKey, secret: ofKey } = keys.keyed(row)
  return [apiKey, ofKey, keys.adminToken, keys.cursors.seal('list', 'place'), keys.links.toString('hex')]
}

describe('the keys of a partner', () => {
  it('the same secret, name, lineage and generation -> the same, in every process', () => {
    expect(all(counting())).toEqual(all(counting()))
    // They are kept nowhere: another way to derive them would end them all.
    expect(all(counting()).slice(0, 3)).toMatchInlineSnapshot(`
      [
        "sk_sandbox_15fke3ppj0spqm4te5hr4zar",
        "secret_6q4bf96y2yh66t05khe598f9",
        "token_9wbs094bsd4p4j99ydth1pga.acme",
      ]
    `)
  })

  it.each<[string, () => string[]]>([
    ['another secret', () => all(counting('another-secret-of-it'))],
    ['no secret', () => all(counting(''))],
    ['another name', () => all(counting(), counting().begin('beta'))],
    [
      'the second workspace of the name',
      () => {
        const partners = counting()
        partners.begin('acme')
        return all(partners)
      },
    ],
    [
      'the next generation',
      () => {
        const partners = counting()
        return all(partners, { ...partners.begin('acme'), generation: 2 })
      },
    ],
    ['parts that run into each other', () => all(counting(), { of: 'acme1', lineage: '', generation: 1 })],
  ])('%s -> all of them are others', (_what, other) => {
    const [before, now] = [all(counting()), other()]
    for (const [at, text] of before.entries()) expect(now[at]).not.toBe(text)
  })

  it('each row has its own, whatever was chosen for it, and other fields as they were', () => {
    const partners = counting()
    const keys = partners.keysOf(partners.begin('acme'))
    const own = keys.keyed(row)
    expect(own).toEqual({ ...row, api_key: own.api_key, secret: own.secret })
    expect(keys.keyed({ ...row, api_key: 'another' })).toEqual(own)
    expect(keys.keyed(own)).toBe(own)
    expect(keys.keyed({ ...row, id: 'key_2' }).api_key).not.toBe(own.api_key)
    expect(keys.keyed({ ...row, id: 'key_2' }).secret).not.toBe(own.secret)
    expect(keys.keyed({ ...row, environment: 'production' }).api_key).toMatch(/^sk_production_/)
  })

  it('a row is own with what derives from its id, and in no other way', () => {
    const partners = counting()
    const keys = partners.keysOf(partners.begin('acme'))
    const own = keys.keyed(row)
    expect(keys.isOwn(own)).toBe(true)
    expect(keys.isOwn({ ...own })).toBe(true)
    expect(keys.isOwn(row)).toBe(false)
    expect(keys.isOwn({ ...own, secret: 'chosen' })).toBe(false)
    expect(keys.isOwn({ ...own, id: 'key_2' })).toBe(false)
  })

  it('a credential was made here with the whole of a key, or with an id and the secret that derives from it', () => {
    const partners = counting()
    const keys = partners.keysOf(partners.begin('acme'))
    const others = partners.keysOf(partners.begin('beta'))
    const { api_key: own, secret: ownSecret } = keys.keyed(row)
    const bearer = (token: string) => ({ scheme: 'bearer', token }) as const
    const basic = (user: string, password: string) => ({ scheme: 'basic', user, password }) as const
    for (const credential of [bearer(own), basic(own, ''), basic(own, 'any'), basic('key_1', ownSecret)]) {
      expect([keys.made(credential), others.made(credential)]).toEqual([true, false])
    }
    const at = (text: string, place: number): string =>
      text.slice(0, place) + (text[place] === '0' ? '1' : '0') + text.slice(place + 1)
    const changed = Array.from({ length: 24 }, (_, place) => bearer(at(own, 'sk_sandbox_'.length + place)))
    for (const credential of [
      ...changed,
      bearer(`${own}0`),
      bearer(''),
      bearer('key_1'),
      bearer(ownSecret),
      basic('key_2', ownSecret),
      basic('key_1', at(ownSecret, 20)),
      basic('key_1', ''),
      basic('', ''),
    ]) {
      expect([credential, keys.made(credential)]).toEqual([credential, false])
    }
  })

  it('they look like what the sandbox makes, so that logs and journals hide them unasked', () => {
    const [apiKey = '', ofKey = '', token = ''] = all(counting())
    expect([apiKey, ofKey].map(isGeneratedKey)).toEqual([true, true])
    expect(maskMadeKeys(`${apiKey}.acme ${ofKey} ${token}`)).toBe(
      'sk_sandbox_***.acme secret_*** token_***.acme',
    )
  })
})
