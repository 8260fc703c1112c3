import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startSandbox, type CallApi } from '../helpers/sandbox.ts'
import { samples } from '../setup/samples.ts'

/** Any text at all, lone surrogates included. */
const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  maxLength: 6,
})

const settings = { numRuns: samples(200), seed: 20_261_121 }

/** Any identifier that the contract allows: 1 to 128 characters from 0x20 to 0x7E. */
const partnerId = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 128,
})

/** The ways clients write a value into a query. */
const encodings: Record<string, (value: string) => string> = {
  'percent escapes': encodeURIComponent,
  'a form, where a space is a plus': (value) =>
    new URLSearchParams({ value }).toString().slice('value='.length),
  'an escape for every byte': (value) => [...Buffer.from(value)].map((byte) => escaped(byte, true)).join(''),
  'lower-case escapes': (value) => [...Buffer.from(value)].map((byte) => escaped(byte, false)).join(''),
}

function escaped(byte: number, upper: boolean): string {
  const hex = byte.toString(16).padStart(2, '0')
  return `%${upper ? hex.toUpperCase() : hex}`
}

const link = (call: CallApi, customer: string, id: string) =>
  call('POST', `/v2/customers/${customer}/link`, { json: { partner_customer_id: id } })

const linkModes = ['refuse', 'replace'] as const

/**
 * A sandbox of two customers, and a step that frees a customer for the next link: by unlinking, or where a link
 * replaces another one, by a link to an identifier that no test searches for.
 */
async function twoCustomers(link_replaces: (typeof linkModes)[number]) {
  const { call, state } = await startSandbox({
    assume: { link_replaces },
    fixtures: { customers: [{ id: 'cus_1' }, { id: 'cus_2' }] },
  })
  const unlink = (customer: string) =>
    state.patch('customers', customer, { partner_customer_id: null } as object)
  const free = async (customer: string): Promise<void> => {
    if (link_replaces === 'refuse') unlink(customer)
    else await link(call, customer, 'nobody searches for this')
  }
  return { call, free }
}

const search = (call: CallApi, query: string) => call('GET', `/v2/customers?partner_customer_id=${query}`)

const idsOf = (json: { data: { id: string }[] }): string[] => json.data.map(({ id }) => id)

/** The same text with the case of one letter changed, for every letter in it. */
function otherCasings(text: string): string[] {
  return [...text].flatMap((character, at) => {
    const other = character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase()
    return other === character ? [] : [text.slice(0, at) + other + text.slice(at + 1)]
  })
}

describe('partner identifiers, byte for byte', () => {
  test.each(linkModes)(
    'any printable ASCII can be linked, is echoed, and is found in every encoding: link_replaces=%s',
    async (mode) => {
      const { call, free } = await twoCustomers(mode)
      await fc.assert(
        fc.asyncProperty(partnerId, async (id) => {
          if (mode === 'refuse') await free('cus_1')
          const linked = await link(call, 'cus_1', id)
          expect([linked.status, linked.json.partner_customer_id]).toEqual([200, id])
          for (const encode of Object.values(encodings)) {
            const { status, json } = await search(call, encode(id))
            expect([status, idsOf(json), json.total]).toEqual([200, ['cus_1'], 1])
          }
        }),
        { ...settings, examples: [[' '], ['~'.repeat(128)], ['+'], ['%'], ['%41'], ['&a=b#c'], ['"\\<>']] },
      )
    },
  )

  test.each(linkModes)('one letter in other casing is another identifier: link_replaces=%s', async (mode) => {
    const { call, free } = await twoCustomers(mode)
    await fc.assert(
      fc.asyncProperty(partnerId, fc.nat(), async (id, which) => {
        const others = otherCasings(id)
        const other = others[which % Math.max(1, others.length)]
        fc.pre(other !== undefined)
        await free('cus_2')
        if (mode === 'refuse') await free('cus_1')
        await link(call, 'cus_1', id)
        expect(idsOf((await search(call, encodeURIComponent(other))).json)).toEqual([])
        expect((await link(call, 'cus_2', other)).status).toBe(200)
        expect(idsOf((await search(call, encodeURIComponent(other))).json)).toEqual(['cus_2'])
        expect(idsOf((await search(call, encodeURIComponent(id))).json)).toEqual(['cus_1'])
      }),
      settings,
    )
  })

  test.each(linkModes)(
    'different identifiers find different customers; the same one is refused to a second customer: link_replaces=%s',
    async (mode) => {
      const { call, free } = await twoCustomers(mode)
      await fc.assert(
        fc.asyncProperty(partnerId, partnerId, async (one, two) => {
          await free('cus_2')
          if (mode === 'refuse') await free('cus_1')
          expect((await link(call, 'cus_1', one)).status).toBe(200)
          expect((await link(call, 'cus_2', two)).status).toBe(one === two ? 409 : 200)
          expect(idsOf((await search(call, encodeURIComponent(one))).json)).toEqual(['cus_1'])
          const second = idsOf((await search(call, encodeURIComponent(two))).json)
          expect(second).toEqual([one === two ? 'cus_1' : 'cus_2'])
        }),
        {
          ...settings,
          numRuns: samples(100),
          examples: [
            ['same', 'same'],
            ['a', 'a '],
            ['a+b', 'a b'],
            ['a', 'aa'],
          ],
        },
      )
    },
  )

  test('any bytes in a query: 200 when all are printable ASCII and 1 to 128, else 400', async () => {
    const { call } = await startSandbox()
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 4 })
    const query = fc.oneof(bytes, bytes, fc.uint8Array({ maxLength: 140, min: 0x20, max: 0x7e }))
    await fc.assert(
      fc.asyncProperty(query, async (sent) => {
        const allowed =
          sent.length >= 1 && sent.length <= 128 && sent.every((byte) => byte >= 0x20 && byte <= 0x7e)
        const answer = await search(call, [...sent].map((byte) => escaped(byte, true)).join(''))
        expect(answer.status).toBe(allowed ? 200 : 400)
      }),
      { ...settings, numRuns: samples(500) },
    )
  })

  test.each(linkModes)(
    'any text in a link: 200 when it is printable ASCII and 1 to 128, else 400 and nothing is changed: link_replaces=%s',
    async (link_replaces) => {
      const { call, state } = await startSandbox({ assume: { link_replaces } })
      const text = fc.oneof(anyText, fc.string({ maxLength: 140 }), partnerId)
      await fc.assert(
        fc.asyncProperty(text, async (id) => {
          if (link_replaces === 'refuse') {
            state.patch('customers', 'cus_ben', { partner_customer_id: null } as object)
          }
          const before = state.get('customers', 'cus_ben')
          const answer = await link(call, 'cus_ben', id)
          expect(answer.status).toBe(/^[ -~]{1,128}$/.test(id) && !id.includes('\n') ? 200 : 400)
          if (answer.status === 400) expect(state.get('customers', 'cus_ben')).toEqual(before)
        }),
        { ...settings, examples: [['a\n'], [''], ['x'.repeat(129)], ['\u007f'], ['\ud800'], ['é']] },
      )
    },
  )
})
