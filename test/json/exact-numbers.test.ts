// Case 126: a number of metadata that JavaScript would change comes back as its text, through every door.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { copyOf, plainCopy } from '../../src/json/copy.ts'
import { ExactNumber, numberForValidation, sameNumber, wouldChange } from '../../src/json/exact-number.ts'
import { stringify } from '../../src/json/stringify.ts'
import { parseExact } from '../../src/json/parse-exact.ts'
import { askControl } from '../helpers/control.ts'
import { crashed, dataName, startOn } from '../helpers/data.ts'
import { watchDisk } from '../helpers/disk.ts'
import { folderWith } from '../helpers/fake-io.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const metadata =
  '{"id":9223372036854775807,"far":1e400,"near":[0.1000000000000000055,{"zero":-0}],"tiny":-1e-400,"common":[0.1,1.50,1e2,12],"text":"9223372036854775807"}'
/** The parts that JavaScript writes as the same number are written as JavaScript does. */
const served = metadata.replace('1.50,1e2', '1.5,100')
/** The values for callers of the library and for YAML. */
const nearest = {
  id: Number('9223372036854775807'),
  far: Number.MAX_VALUE,
  near: [0.1, { zero: -0 }],
  tiny: -0,
  common: [0.1, 1.5, 100, 12],
  text: '9223372036854775807',
}

const intents = '/v2/transaction_intents'
const headers = { 'content-type': 'application/json' }
const intentWith = (text: string): string =>
  `{"customer_id":"cus_ada","amount":100,"currency":"USD","metadata":${text}}`
const fixture = (text: string): string =>
  `{"customers":[{"id":"cus_1","metadata":${text}}],"rewards":[{"id":"rwd_1","customer_id":"cus_1","status":"PENDING","metadata":${text}}]}`

describe('case 126: the API', () => {
  it('POST and GET of an intent -> its text; the library shows the nearest number', async () => {
    const sandbox = await startSandbox()
    const made = await sandbox.call('POST', intents, { body: intentWith(metadata), headers })
    expect(made.status).toBe(200)
    expect(made.text).toContain(`"metadata":${served}`)
    expect((await sandbox.call('GET', `${intents}/${made.json.id}`)).text).toBe(made.text)
    const row = sandbox.state.get('transaction_intents', made.json.id)
    expect(row?.['metadata']).toEqual(nearest)
    expect(() => structuredClone(row)).not.toThrow()
    // The library accepts the values that it returns.
    expect(() =>
      sandbox.state.put('transaction_intents', made.json.id, structuredClone(row ?? {})),
    ).not.toThrow()
  })

  it('limits of metadata count the text', async () => {
    const { call } = await startSandbox()
    const large = `{"n":${'9'.repeat(16 * 1024)}}`
    const refused = await call('POST', intents, { body: intentWith(large), headers })
    expect([refused.status, refused.json.details]).toEqual([
      400,
      ['metadata: must not be larger than 16384 bytes'],
    ])
    const fits = `{"n":${'9'.repeat(16 * 1024 - 6)}}`
    const made = await call('POST', intents, { body: intentWith(fits), headers })
    expect([made.status, made.text.includes(fits)]).toEqual([200, true])
  })

  it('metadata that is a number -> refused as any other', async () => {
    const { call } = await startSandbox()
    const answer = await call('POST', intents, { body: intentWith('1e400'), headers })
    expect([answer.status, answer.json.details]).toEqual([400, ['metadata: must be a JSON object']])
  })

  it('the journal: entry, filtered list and HAR, request and change', async () => {
    const sandbox = await startSandbox()
    const { requestId } = await sandbox.call('POST', intents, { body: intentWith(metadata), headers })
    const entry = await askControl(sandbox, 'GET', `/requests/${requestId}`)
    // The request, the answer and the row.
    expect(entry.text.split(`"metadata":${served}`)).toHaveLength(4)
    const list = await askControl(sandbox, 'GET', '/requests')
    expect(list.text.split(`"metadata":${served}`)).toHaveLength(4)
    const { log } = (await askControl(sandbox, 'GET', '/requests?format=har')).json
    expect(log.entries[0].request.postData.text).toContain(served)
    expect(log.entries[0].response.content.text).toContain(served)
    expect(sandbox.requests.list()[0]?.request.body).toMatchObject({ metadata: nearest })
    expect(sandbox.requests.get(requestId ?? '')?.changes[0]?.after).toMatchObject({ metadata: nearest })
  })

  it('an amount that was refused stands in the journal as it was sent', async () => {
    const sandbox = await startSandbox()
    const body = intentWith('{}').replace('100', '4503599627370497.3')
    const { status, requestId } = await sandbox.call('POST', intents, { body, headers })
    expect(status).toBe(400)
    const entry = await askControl(sandbox, 'GET', `/requests/${requestId}`)
    expect(entry.text).toContain('"amount":4503599627370497.3')
  })

  it.each([
    ['the same text', '{"id":9223372036854775807}', 200],
    ['the same number in other words', '{"id":9223372036854775807.0}', 200],
    ['its neighbour, which is the same to JavaScript', '{"id":9223372036854775806}', 409],
    ['infinity for what is beyond', '{"far":1e401}', 409],
    ['a number that JavaScript writes alike', '{"common":[0.10,1.5,100,12]}', 200],
  ])('verify: %s -> %i', async (_what, matcher, status) => {
    const sandbox = await startSandbox()
    await sandbox.call('POST', intents, { body: intentWith(metadata), headers })
    const answer = await askControl(
      sandbox,
      'POST',
      '/requests/verify',
      `{"body":{"metadata":${matcher}},"count":1}`,
    )
    expect(answer.status).toBe(status)
    if (status === 409) expect(answer.text).toContain(`"actual":${matcher.includes('far') ? '1e400' : '922'}`)
  })

  it('verify in the library compares with the nearest number', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('POST', intents, { body: intentWith(metadata), headers })
    const body = { metadata: { id: nearest.id, near: nearest.near } }
    expect(sandbox.requests.verify({ body })).toEqual({ holds: true, count: 1 })
  })
})

describe('case 126: state documents over HTTP', () => {
  it('PUT and GET of the state, a collection, a row; PATCH; snapshot; diff', async () => {
    const sandbox = await startSandbox()
    expect((await askControl(sandbox, 'PUT', '/state', fixture(metadata))).status).toBe(200)
    const state = await askControl(sandbox, 'GET', '/state')
    expect(state.text.split(`"metadata":${served}`)).toHaveLength(3)
    expect((await askControl(sandbox, 'GET', '/state/rewards')).text).toContain(served)
    expect((await askControl(sandbox, 'GET', '/state/rewards/rwd_1')).text).toContain(served)
    // Equal states give equal bytes.
    expect((await askControl(sandbox, 'PUT', '/state', state.text)).status).toBe(200)
    expect((await askControl(sandbox, 'GET', '/state')).text).toBe(state.text)

    await askControl(sandbox, 'PUT', '/snapshots/before')
    expect((await askControl(sandbox, 'GET', '/snapshots/before')).text).toBe(state.text)
    const patched = await askControl(
      sandbox,
      'PATCH',
      '/state/rewards/rwd_1',
      '{"metadata":{"id":9223372036854775806}}',
    )
    const after = served.replace('{"id":9223372036854775807', '{"id":9223372036854775806')
    expect(patched.text).toContain(after)
    const diff = await askControl(sandbox, 'GET', '/snapshots/before/diff')
    // To JavaScript the two are one number.
    expect(diff.text).toContain(`"metadata":{"before":${served},"after":${after}}`)
    expect(sandbox.snapshots.diff('before')['rewards']?.changed).toEqual([
      { id: 'rwd_1', fields: { metadata: { before: nearest, after: nearest } } },
    ])
    await askControl(sandbox, 'POST', '/snapshots/before/restore')
    expect((await askControl(sandbox, 'GET', '/state')).text).toBe(state.text)

    const put = await askControl(
      sandbox,
      'PUT',
      '/state/rewards/rwd_2',
      `{"customer_id":"cus_1","metadata":${metadata}}`,
    )
    expect(put.text).toContain(served)
    sandbox.state.patch('rewards', 'rwd_2', { status: 'DEDUCTED' })
    expect((await askControl(sandbox, 'GET', '/state/rewards/rwd_2')).text).toContain(served)
  })

  it('simulate answers an intent as it is', async () => {
    const sandbox = await startSandbox()
    const { json } = await sandbox.call('POST', intents, {
      body: intentWith(metadata).replace('"amount"', '"payment_method_id":"pm_ada_card","amount"'),
      headers,
    })
    const answer = await askControl(sandbox, 'POST', '/simulate/transaction', {
      customer_id: 'cus_ada',
      amount: 100,
      currency: 'USD',
      merchant_name: 'Shop',
    })
    expect([answer.status, answer.json.intent?.id]).toEqual([201, json.id])
    expect(answer.text).toContain(served)
  })

  it('the body of a stub', async () => {
    const sandbox = await startSandbox()
    const stubs = `[{"method":"GET","path":"/v2/more","body":{"id":9223372036854775807}}]`
    const put = await askControl(sandbox, 'PUT', '/state/stubs', stubs)
    expect(put.text).toBe(`{"stubs":${stubs}}`)
    const authorization = `Bearer ${sandbox.apiKey}`
    const answer = await sandbox.fetch('/v2/more', { headers: { authorization } })
    expect(await answer.text()).toBe('{"id":9223372036854775807}')
    expect(sandbox.state.stubs()[0]?.body).toEqual({ id: nearest.id })
  })

  it('a workspace with fixtures of its own', async () => {
    const sandbox = await startSandbox()
    const fixtures = fixture(metadata)
    const made = await askControl(sandbox, 'POST', '/workspaces', `{"name":"w1","fixtures":[${fixtures}]}`)
    expect(made.status).toBe(201)
    expect((await askControl(sandbox, 'GET', '/state?workspace=w1')).text).toContain(served)
  })
})

describe('case 126: scenarios', () => {
  const scenario = (when: string, effect: string): string =>
    `{"name":"own","description":"x","rules":[{"on":"createTransactionIntent"${when},"effect":${effect}}]}`
  const arm = async (document: string) => {
    const sandbox = await startSandbox()
    const registered = await askControl(sandbox, 'POST', '/scenarios', document)
    expect([registered.status, registered.text]).toMatchObject([201, expect.any(String)])
    expect((await askControl(sandbox, 'GET', '/scenarios/own')).text).toContain(`"document":${document}`)
    await sandbox.scenarios.activate('own')
    return sandbox
  }

  it('change lays it over a row, as it is', async () => {
    const sandbox = await arm(
      scenario('', '{"change":{"rewards":{"rwd_ada_pending":{"metadata":{"id":9223372036854775807}}}}}'),
    )
    await sandbox.call('POST', intents, { body: intentWith('{}'), headers })
    const reward = await sandbox.call('GET', '/v2/rewards/rwd_ada_pending')
    expect(reward.text).toContain('"id":9223372036854775807')
  })

  it.each([
    ['9223372036854775807', 503],
    ['9223372036854775806', 200],
  ])('when.body asks for 9223372036854775807, and %s is sent -> %i', async (sent, status) => {
    const sandbox = await arm(
      scenario(
        ',"when":{"body":{"metadata":{"id":9223372036854775807}}}',
        '{"error":"SERVICE_UNAVAILABLE_ERROR"}',
      ),
    )
    const answer = await sandbox.call('POST', intents, { body: intentWith(`{"id":${sent}}`), headers })
    expect(answer.status).toBe(status)
    if (status === 503) return
    // The explanation tells the two apart, too.
    const explained = await askControl(sandbox, 'GET', `/requests/${answer.requestId}`)
    expect(explained.json.explanation.summary).toContain('9223372036854775806')
  })

  it('a rewrite leaves what it does not name, and adds what it says', async () => {
    const sandbox = await arm(
      scenario('', '{"rewrite":[{"op":"add","path":"/metadata/more","value":1e400}]}').replace(
        '"on"',
        '"off_contract":true,"on"',
      ),
    )
    const answer = await sandbox.call('POST', intents, { body: intentWith(metadata), headers })
    expect(answer.text).toContain(`${served.slice(0, -1)},"more":1e400}`)
  })
})

describe('case 126: files', () => {
  it('a fixture, what is generated beside it, and YAML', async () => {
    const folder = await folderWith({
      'x.json': fixture(metadata),
      'y.yaml':
        'customers: [{ id: cus_2, metadata: { id: 9223372036854775807, near: 0.1000000000000000055 } }]',
    })
    const sandbox = await startSandbox({ fixtures: [join(folder, 'x.json'), join(folder, 'y.yaml')] })
    expect((await sandbox.call('GET', '/v2/rewards/rwd_1')).text).toContain(served)
    const row = await askControl(sandbox, 'GET', '/state/customers/cus_2')
    expect(row.text).toContain('"metadata":{"id":9223372036854775807,"near":0.1000000000000000055}')
  })

  it('the data file and its log', async () => {
    const disk = await watchDisk()
    const { sandbox } = await startOn(disk)
    const made = await sandbox.call('POST', intents, { body: intentWith(metadata), headers })
    await sandbox.saved()
    // After a crash the log has it.
    const left = await crashed(disk)
    expect(await readFile(left.path(`${dataName}.1.log`), 'utf8')).toContain(served)
    const after = await startOn(left)
    expect((await after.sandbox.call('GET', `${intents}/${made.json.id}`)).text).toBe(made.text)
    await after.sandbox.close()
    // After a clean stop the checkpoint has it.
    expect(await readFile(left.path(dataName), 'utf8')).toContain(served)
    const again = await startOn(left)
    expect((await again.sandbox.call('GET', `${intents}/${made.json.id}`)).text).toBe(made.text)
  })
})

describe('parseExact', () => {
  it.each([
    ['{"metadata":{"a":9007199254740993}}', '{"metadata":{"a":9007199254740993}}'],
    ['{"metadata":{"a":-0.0}}', '{"metadata":{"a":-0.0}}'],
    ['{"metadata":{"a":4.9e-324}}', '{"metadata":{"a":4.9e-324}}'],
    // The same number in other words is the number.
    [
      '{"metadata":{"a":[1e2,1.0,1E+21,5e-324,9007199254740992,0e400,100e-402]}}',
      '{"metadata":{"a":[100,1,1e+21,5e-324,9007199254740992,0,1e-400]}}'.replace('1e-400', '100e-402'),
    ],
    ['{"metadata":{"__proto__":1e400,"a":"\\u0022 , -0"},"z":[]}', undefined],
    ['{"metadata":{"a":1e400,"a":2}}', '{"metadata":{"a":2}}'],
    ['{"metadata":{"a":1,"a":1e400}}', '{"metadata":{"a":1e400}}'],
    // A text that looks like one is a text.
    ['{"metadata":{"a":"1e400","text":"x","b":1e400}}', undefined],
    ['{"metadata":{"text":"1e400"}, "b": [ ]}', '{"metadata":{"text":"1e400"},"b":[]}'],
    [' {"metadata": [ { } , [ ] , true , false , null , -0 ] } ', '{"metadata":[{},[],true,false,null,-0]}'],
  ])('%s', (text, written = text.replace('\\u0022', '\\"')) => {
    expect(stringify(parseExact(text))).toBe(written)
  })

  it('elsewhere a number breaks the rule that its text breaks', () => {
    const text = '{"a":1e400,"b":4503599627370497.3,"c":1.00000000000000001,"d":-1e-400,"e":9007199254740993}'
    expect(parseExact(text)).toEqual({
      a: Number.MAX_VALUE,
      b: 4503599627370495.5,
      c: 1.5,
      d: -0.5,
      e: 9007199254740992,
    })
    expect(stringify(parseExact(text, true))).toBe(text)
  })

  it('nesting without end overflows nothing', () => {
    const text = `${'[{"a":'.repeat(50_000)}-0${'}]'.repeat(50_000)}`
    expect(() => parseExact(text, true)).not.toThrow()
  })
})

describe('stringify', () => {
  it.each([0, 2])('writes all else as JSON.stringify does, indent %i', (indent) => {
    const value = { a: [], b: {}, c: [1, [2, { d: null }]], e: undefined, 'f"': 'g"', h: [undefined] }
    const exact = { ...value, x: [new ExactNumber('1e400')] }
    const marked = JSON.stringify({ ...value, x: ['1e400'] }, null, indent)
    expect(stringify(exact, indent)).toBe(marked.replace('"1e400"', '1e400'))
    expect(stringify(value, indent)).toBe(JSON.stringify(value, null, indent))
  })

  it('nothing that a client sends can pass for one', () => {
    const forged = { text: '1e400', toJSON: 1, nearest: 5 }
    expect(stringify([forged, new ExactNumber('-0')])).toBe(`[${JSON.stringify(forged)},-0]`)
  })

  it('writes a value without one by JSON.stringify alone', () => {
    let reads = 0
    const value = {
      get a() {
        reads += 1
        return 1
      },
    }
    stringify(value)
    expect(reads).toBe(1)
  })
})

describe('numbers', () => {
  it.each([
    ['9007199254740993', true],
    ['9007199254740992', false],
    ['0.1', false],
    ['0.10000000000000000', false],
    ['0.1000000000000000055', true],
    ['-0', true],
    ['0', false],
    ['0e999', false],
    ['1e308', false],
    ['1e309', true],
    ['123456789012345680000', false],
    ['123456789012345678901', true],
  ])('%s would be changed: %s', (text, changed) => {
    expect(wouldChange(text)).toBe(changed)
  })

  it.each<[unknown, unknown, boolean]>([
    [new ExactNumber('1e400'), new ExactNumber('10E399'), true],
    [new ExactNumber('1e400'), new ExactNumber('-1e400'), false],
    [new ExactNumber('-0'), 0, true],
    [new ExactNumber('9223372036854775807'), 9223372036854775808, true],
    [1, '1', false],
    [null, null, true],
  ])('%o and %o are the same: %s', (one, other, same) => {
    expect(sameNumber(one, other)).toBe(same)
  })

  it('a number of a million digits is read in one pass', () => {
    const digits = `1${'0'.repeat(1_000_000)}1`
    expect([wouldChange(digits), numberForValidation(digits)]).toEqual([true, Number.MAX_VALUE])
  })

  it('copies share what never changes, and plain ones hold numbers', () => {
    const value = { a: [new ExactNumber('1e400')], b: undefined }
    expect(copyOf(value)).toStrictEqual(value)
    expect(copyOf(value)).not.toBe(value)
    expect(plainCopy(value)).toStrictEqual({ a: [Number.MAX_VALUE], b: undefined })
  })
})
