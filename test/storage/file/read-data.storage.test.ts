import type { Sandbox } from '../../../src/index.ts'
import { chmod, mkdir, readdir, readFile, symlink, utimes } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { watchDisk, type Disk } from '../../helpers/disk.ts'
import { crashed, filesOn, put, refusalOf, startOn, stateOf } from '../../helpers/data.ts'
import { samples } from '../../setup/samples.ts'

const fixtures = { customers: [{ id: 'cus_1' }], rewards: [{ id: 'rwd_1', customer_id: 'cus_1' }] }

/** A data file with some writes in its journal: the disk after a crash. */
async function crashedDisk(writes = 3): Promise<{ disk: Disk; state: string }> {
  const disk = await watchDisk()
  const { sandbox } = await startOn(disk, { fixtures })
  for (let at = 0; at < writes; at++) {
    sandbox.state.put('customers', `cus_new_${at}`, {})
    await sandbox.saved()
  }
  return { disk: await crashed(disk), state: stateOf(sandbox) }
}

const document = (more: object = {}): string => JSON.stringify({ schema_version: 1, ...more })

/** The lines of the journal: its name, then the commits. */
async function linesOf(disk: Disk): Promise<string[]> {
  return (await readFile(disk.path('data.json.wal'), 'utf8')).split('\n').slice(0, -1)
}

/** A line of the journal with something in it changed; the first is its name. */
async function spoilLine(disk: Disk, line: number): Promise<void> {
  const lines = await linesOf(disk)
  lines[line - 1] = (lines[line - 1] ?? '').replace('cus_', 'CUS_')
  await put(disk, { 'data.json.wal': `${lines.join('\n')}\n` })
}

const notClosed = 'data.json was not closed, as after a crash'

/** The hint for a journal that cannot be used. */
const orRecover =
  'data.json.wal: was not changed. Restore files that belong together, or start with --recover to use what is intact'

describe('what is no data file', () => {
  const orNew =
    'data.json: was not changed. Repair it or put it back, or move it and the files next to it away to start with an empty state'

  it.each<[string, string | Uint8Array, string]>([
    ['an empty file', '', 'data.json: is empty; expected a JSON or YAML document'],
    ['white space', ' \n', 'data.json: is empty; expected a JSON or YAML document'],
    [
      'a truncated document',
      '{"schema_version": 1,\n"customers": [{"id": "cus_1"',
      'data.json:2:29 customers[0]: expected a comma or }, but the file ends here\n"customers": [{"id": "cus_1"\n                            ^',
    ],
    [
      'a byte order mark',
      `\ufeff${document()}`,
      'data.json: begins at byte 0 with a byte order mark, which no sandbox writes',
    ],
    [
      'bytes that are no text',
      Uint8Array.of(0x7b, 0xff, 0x7d),
      'data.json:1: must be text in UTF-8; it has an invalid byte at 1',
    ],
    ['a list', '[1]', 'data.json:1:1: must be a state document\n[1]\n^'],
    ['null', 'null', 'data.json:1:1: must be a state document\nnull\n^'],
    [
      'the JSON of something else',
      '{"name": "my-app", "version": "1.0.0"}',
      'data.json:1:1 schema_version: is required in a data file\n{"name": "my-app", "version": "1.0.0"}\n^',
    ],
    [
      'a newer version',
      '{"schema_version": 2}',
      'data.json:1:20 schema_version: is 2, and this sandbox reads 1: use the one that wrote it, or a newer one\n{"schema_version": 2}\n                   ^',
    ],
    [
      'a version that never was',
      '{"schema_version": "1"}',
      'data.json:1:20 schema_version: must be 1, the only version of state documents\n{"schema_version": "1"}\n                   ^',
    ],
    [
      'an unknown collection',
      '{"schema_version": 1, "reward": []}',
      `data.json:1:23 reward: unknown collection, did you mean 'rewards'?\n{"schema_version": 1, "reward": []}\n                      ^`,
    ],
    [
      'a row that no fixture could hold',
      '{"schema_version": 1, "rewards": [{"id": "rwd_1", "customer_id": "cus_9"}]}',
      `data.json:1:66 rewards[0].customer_id: no customer has the id 'cus_9'\n{"schema_version": 1, "rewards": [{"id": "rwd_1", "customer_id": "cus_9"}]}\n                                                                 ^`,
    ],
    [
      'a bad count of writes',
      '{"schema_version": 1, "sandbox": {"seq": -1}}',
      'data.json:1:42 sandbox.seq: must not be negative\n{"schema_version": 1, "sandbox": {"seq": -1}}\n                                         ^',
    ],
  ])('%s -> refused, saying where, and left as it is', async (_what, content, message) => {
    const disk = await watchDisk()
    await put(disk, { 'data.json': content })
    expect(await refusalOf(disk)).toBe(`${message}\n${orNew}`)
    expect(await readdir(disk.folder)).toEqual(['data.json'])
    expect(await readFile(disk.path('data.json'))).toEqual(Buffer.from(content))
  })

  it('more than can be read -> fifty problems, how many more there are, and what to do', async () => {
    const disk = await watchDisk()
    const customers = Array.from({ length: 80 }, (_, at) => ({ id: `cus_${at}`, emial: 'x' }))
    await put(disk, { 'data.json': document({ customers }) })
    const lines = (await refusalOf(disk)).split('\n').filter((line) => line.startsWith('data.json'))
    expect(lines).toHaveLength(52)
    expect(lines.slice(50)).toEqual(['data.json: has 110 more problems', orNew])
  })

  it('a device -> refused', async () => {
    const disk = await watchDisk()
    expect(await refusalOf(disk, { data: '/dev/null' })).toBe('/dev/null: is no file; name one with --data')
  })

  it('in a folder that is not there -> refused', async () => {
    const disk = await watchDisk()
    expect(await refusalOf(disk, { data: disk.path('no/data.json') })).toBe(
      'no/data.json: cannot be used: its folder does not exist; correct that, or name another file with --data',
    )
  })

  const tooLong = 'a'.repeat(300)
  it.each([
    ['below a file', 'file/data.json', 'a part of its path is a file, not a folder'],
    ['a folder below a file', 'file/data/', 'a part of its path is a file, not a folder'],
    ['links in a circle', 'circle', 'its symbolic links loop'],
    ['a folder below links in a circle', 'circle/data/', 'its symbolic links loop'],
    ['a name that is too long', `${tooLong}.json`, 'its name is too long: suffixes are added'],
    ['a folder with a name that is too long', `${tooLong}/`, 'its name is too long: suffixes are added'],
  ])('%s -> refused with the path and the reason', async (_what, path, reason) => {
    const disk = await watchDisk()
    await put(disk, { file: '' })
    await symlink('circle', disk.path('circle'))
    expect(await refusalOf(disk, { data: `${disk.folder}/${path}` })).toBe(
      `${path.replace(/\/$/, '')}: cannot be used: ${reason}; correct that, or name another file with --data`,
    )
  })

  it.skipIf(process.getuid?.() === 0)('in a folder of another user -> refused', async () => {
    const disk = await watchDisk()
    await mkdir(disk.path('foreign'))
    await chmod(disk.path('foreign'), 0)
    expect(await refusalOf(disk, { data: disk.path('foreign/data.json') })).toBe(
      'foreign/data.json: cannot be used: permission denied for the file or its folder; correct that, or name another file with --data',
    )
  })

  it('that may not be read -> refused', async () => {
    const disk = await watchDisk()
    await put(disk, { 'data.json': document() })
    disk.judge = (step) => (step === 'read data.json' ? 'EACCES' : undefined)
    expect(await refusalOf(disk)).toBe(
      'data.json: cannot be used: permission denied for the file or its folder; correct that, or name another file with --data',
    )
  })
})

describe('a disk that cannot be written', () => {
  it.each([
    ['a read-only file system', 'open data.json.lock', 'EROFS', 'the file system is read-only'],
    ['no rights', 'open data.json.tmp', 'EACCES', 'permission denied for the file or its folder'],
    ['a full disk', 'write data.json.tmp', 'ENOSPC', 'no space is left on the disk'],
    [
      'a file that is mounted alone',
      'rename data.json',
      'EBUSY',
      'it is a mount of its own and cannot be replaced; mount its folder instead',
    ],
    ['a failing disk', 'fsync data.json.tmp', 'EIO', 'the disk reported an error'],
    ['another failure', 'rename data.json.wal', 'EWEIRD', 'EWEIRD'],
  ])('%s -> refused at the start, and nothing changed', async (_what, failing, code, reason) => {
    const disk = await watchDisk()
    const content = document({ customers: [] })
    await put(disk, { 'data.json': content })
    disk.judge = (step) => (step === failing ? code : undefined)
    expect(await refusalOf(disk)).toBe(
      `data.json: cannot be used: ${reason}; correct that, or name another file with --data`,
    )
    expect((await filesOn(disk))['data.json']).toBe(content)
    expect(await readdir(disk.folder)).not.toContain('data.json.lock')
  })
})

describe('two sandboxes', () => {
  it('the second on one file is refused, and the first goes on', async () => {
    const disk = await watchDisk()
    const { sandbox } = await startOn(disk)
    expect(await refusalOf(disk)).toBe(
      'data.json: is in use by another sandbox (this process); stop it, or give each its own file with --data',
    )
    sandbox.state.put('customers', 'cus_1', {})
    await sandbox.saved()
    await sandbox.close()
    const again = await startOn(disk)
    expect(again.sandbox.state.get('customers', 'cus_1')).toMatchObject({ id: 'cus_1' })
  })

  it('one that could not start gives the file back', async () => {
    const disk = await watchDisk()
    const bad = { fixtures: { customers: [{ id: 'cus_1', emial: 'x' }] } }
    expect(await refusalOf(disk, bad)).toMatch(/^fixtures customers\[0\]\.emial: unknown field/)
    expect(await readdir(disk.folder)).toEqual([])
    await startOn(disk)
  })
})

describe('what is there goes on', () => {
  it('writes, deletions, ids, account, stubs and clock come back after a crash, and once more after that', async () => {
    const disk = await watchDisk()
    const { sandbox } = await startOn(disk, { seed: 5 })
    const made = await sandbox.call('POST', '/v2/transaction_intents', {
      json: { customer_id: 'cus_ada', amount: 100, currency: 'USD' },
    })
    expect(made.status).toBe(201)
    expect((await sandbox.call('DELETE', '/v2/order_events/ord_ada_1')).status).toBe(204)
    sandbox.state.put('account', 'account', {
      saved_version: { sandbox: '2025-05-05', production: '2025-05-05' },
    })
    const stubs = [{ method: 'GET', path: '/v2/customers/{id}/notes', body: [1] }] as const
    sandbox.state.putStubs(stubs)
    sandbox.clock.advance({ days: 3 })
    await sandbox.saved()

    const second = await startOn(await crashed(disk))
    expect(stateOf(second.sandbox)).toBe(stateOf(sandbox))
    expect(second.sandbox.state.stubs()).toEqual(stubs)
    expect(second.sandbox.seed).toBe(5)
    expect(second.sandbox.clock.read()).toEqual({ now: '2026-11-24T12:00:00.000Z', frozen: true })
    const next = await second.sandbox.call('POST', '/v2/transaction_intents', {
      json: { customer_id: 'cus_ada', amount: 100, currency: 'USD' },
    })
    expect(next.json.id).not.toBe(made.json.id)
    await second.sandbox.close()
  })

  it('the same bytes are answered after a restart', async () => {
    const disk = await watchDisk()
    const first = await startOn(disk)
    const metadata = { __proto__: null, deep: [[{ 'ü🎉': null }]], card: '4532015112830366', half: '\ud800' }
    const made = await first.sandbox.call('POST', '/v2/transaction_intents', {
      json: { customer_id: 'cus_ada', amount: 1, currency: 'USD', metadata },
    })
    await first.sandbox.call('POST', '/v2/customers/cus_ben/link', {
      json: { partner_customer_id: 'partner-new' },
    })
    const key = await first.sandbox.call('POST', '/v2/keys')
    const paths = [
      `/v2/transaction_intents/${made.json.id}`,
      '/v2/customers?limit=100',
      '/v2/customers?partner_customer_id=partner-new',
      '/v2/rewards/rewards_categories',
    ]
    const read = async (sandbox: typeof first.sandbox): Promise<string[]> =>
      Promise.all(paths.map(async (path) => (await sandbox.call('GET', path, { key: key.json.key })).text))
    const before = await read(first.sandbox)
    const second = await startOn(await crashed(disk))
    expect(await read(second.sandbox)).toEqual(before)
    expect(before[0]).toBe(made.text)
  })

  it('a clean end -> one file with everything, and the one before it', async () => {
    const disk = await watchDisk()
    const first = await startOn(disk, { fixtures })
    first.sandbox.state.delete('rewards', 'rwd_1')
    await first.sandbox.close()
    const files = await filesOn(disk)
    expect(Object.keys(files)).toEqual(['data.json', 'data.json.prev'])
    expect(JSON.parse(files['data.json'] ?? '')).toMatchObject({
      schema_version: 1,
      rewards: [],
      sandbox: { seed: 1, ids: 0, clock: { now: '2026-11-21T12:00:00.000Z', frozen: true }, seq: 1 },
    })
    expect(JSON.parse(files['data.json.prev'] ?? '').rewards).toHaveLength(1)
    expect(files['data.json']?.split('\n').length).toBeGreaterThan(10)
  })

  it('no file yet -> it begins as the baseline, and says nothing', async () => {
    const disk = await watchDisk()
    const { sandbox, said } = await startOn(disk, { fixtures })
    expect(said).toEqual([])
    expect(JSON.parse((await filesOn(disk))['data.json'] ?? '').customers).toEqual(
      sandbox.state.list('customers'),
    )
  })

  it('fixtures beside a file -> the file wins and says so; a reset returns to the fixtures, and saves them', async () => {
    const disk = await watchDisk()
    const first = await startOn(disk)
    await first.sandbox.close()
    const second = await startOn(disk, { fixtures })
    expect(second.said).toEqual([
      'data.json exists and is used; the fixtures are the state after a reset, and that of new workspaces',
    ])
    expect(second.sandbox.state.size('customers')).toBe(28)
    expect(second.sandbox.workspace('w1').state.size('customers')).toBe(1)
    second.sandbox.reset()
    await second.sandbox.saved()
    expect(second.sandbox.state.size('customers')).toBe(1)
    const third = await startOn(await crashed(disk))
    expect(third.sandbox.state.size('customers')).toBe(1)
  })

  it('only workspace default is kept', async () => {
    const disk = await watchDisk()
    const { sandbox } = await startOn(disk, { fixtures })
    const w1 = sandbox.workspace('w1')
    w1.state.put('customers', 'cus_w1', {})
    await w1.saved()
    expect(await linesOf(disk)).toEqual([expect.stringContaining('"journal"')])
    await sandbox.close()
    const again = await startOn(disk, { fixtures })
    expect(again.sandbox.workspace('w1').state.size('customers')).toBe(1)
  })

  it('a file by hand: gaps are filled as in fixtures, with the seed of the file', async () => {
    const disk = await watchDisk()
    const rows = { products: [{ merchant_key: 'mk_1' }], customers: [{ id: 'cus_1' }] }
    await put(disk, { 'data.json': document({ ...rows, sandbox: { seed: 9 } }) })
    const { sandbox } = await startOn(disk)
    expect(sandbox.seed).toBe(9)
    expect(sandbox.state.get('customers', 'cus_1')).toMatchObject({ id: 'cus_1', product: 'mk_1' })
    // The fixtures have other products: a row that names none is of the first one that there is.
    expect(sandbox.state.put('customers', 'cus_2', {})).toMatchObject({ product: 'mk_1' })
  })

  it.each([
    ['none asked for', {}, '2026-11-21T12:00:00.000Z', true],
    ['an earlier one asked for', { clock: '2026-01-01T00:00:00Z' }, '2026-11-21T12:00:00.000Z', true],
    ['a later one asked for', { clock: '2027-01-01T00:00:00Z' }, '2027-01-01T00:00:00.000Z', true],
  ])('the clock, %s -> goes on, never back', async (_what, options, now, frozen) => {
    const disk = await watchDisk()
    const first = await startOn(disk, { fixtures })
    await first.sandbox.close()
    const { createSandbox } = await import('../../../src/index.ts')
    const again = await createSandbox({ data: disk.path('data.json'), ...options })
    expect(again.clock.read()).toEqual({ now, frozen })
    await again.close()
  })

  it('a clock that was never set is not kept', async () => {
    const disk = await watchDisk()
    const { createSandbox } = await import('../../../src/index.ts')
    const first = await createSandbox({ data: disk.path('data.json') })
    first.state.put('customers', 'cus_1', {})
    await first.saved()
    expect(await readFile(disk.path('data.json.wal'), 'utf8')).not.toContain('clock')
    await first.close()
    expect(JSON.parse((await filesOn(disk))['data.json'] ?? '').sandbox).toEqual({
      seed: 1,
      ids: 0,
      seq: 1,
      journal: expect.stringMatching(/^[0-9a-f]{16}$/),
      closed: true,
      previous: expect.stringMatching(/^[0-9a-f]{8}$/),
      checksum: expect.stringMatching(/^[0-9a-f]{8}$/),
    })
  })

  it('whatever the API lets in comes back', async () => {
    const metadata = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 4 })
    const body = fc.record(
      { metadata, merchant_name: fc.string(), merchant_id: fc.string(), network_transaction_id: fc.string() },
      { requiredKeys: ['metadata'] },
    )
    const disk = await watchDisk()
    const { sandbox } = await startOn(disk, { fixtures })
    await fc.assert(
      fc.asyncProperty(body, fc.stringMatching(/^[ -~]{1,20}$/), async (fields, partner) => {
        await sandbox.call('POST', '/v2/transaction_intents', {
          json: { customer_id: 'cus_1', amount: 1, currency: 'USD', ...fields },
        })
        await sandbox.call('POST', '/v2/customers/cus_1/link', { json: { partner_customer_id: partner } })
      }),
      { numRuns: samples(50) },
    )
    const again = await startOn(await crashed(disk), { fixtures })
    expect(again.sandbox.state.size('transaction_intents')).toBeGreaterThan(30)
    expect(stateOf(again.sandbox)).toBe(stateOf(sandbox))
  })

  it.each([
    ['frozen twice', (sandbox: Sandbox) => sandbox.clock.freeze()],
    ['moved by nothing', (sandbox: Sandbox) => sandbox.clock.advance({ days: 0 })],
  ])('a clock that was %s, which is nothing to write, and a row after it', async (_situation, change) => {
    const disk = await watchDisk()
    const { sandbox } = await startOn(disk, { fixtures })
    sandbox.clock.freeze()
    for (let time = 0; time < 2; time += 1) {
      change(sandbox)
      await sandbox.saved()
    }
    sandbox.state.put('customers', 'cus_x1', {})
    await sandbox.saved()
    const copy = await crashed(disk)
    const again = await startOn(copy)
    expect(stateOf(again.sandbox)).toBe(stateOf(sandbox))
    await Promise.all([sandbox.close(), again.sandbox.close()])
  })

  it('any writes, cut off at any moment -> the state after as many of them as were whole', async () => {
    const write = fc.oneof(
      fc.record({ kind: fc.constant('put'), id: fc.nat(5) }),
      fc.record({ kind: fc.constant('delete'), id: fc.nat(5) }),
      fc.record({ kind: fc.constant('clock'), id: fc.nat(5) }),
      fc.record({ kind: fc.constant('reset'), id: fc.nat(5) }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { maxLength: 8 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (writes, part) => {
          const disk = await watchDisk()
          const { sandbox } = await startOn(disk, { fixtures })
          // The state since the last snapshot.
          let states = [stateOf(sandbox)]
          for (const { kind, id } of writes) {
            if (kind === 'put') sandbox.state.put('customers', `cus_x${id}`, { metadata: { id } })
            if (kind === 'delete') sandbox.state.delete('customers', `cus_x${id}`)
            if (kind === 'clock') sandbox.clock.advance({ hours: id })
            if (kind === 'reset') sandbox.reset()
            await sandbox.saved()
            states = kind === 'reset' ? [stateOf(sandbox)] : [...states, stateOf(sandbox)]
          }
          const copy = await crashed(disk)
          await sandbox.close()
          const journal = await readFile(copy.path('data.json.wal'))
          const header = journal.indexOf('\n') + 1
          const cut = journal.subarray(0, header + Math.round(part * (journal.length - header)))
          await put(copy, { 'data.json.wal': cut })
          const again = await startOn(copy)
          expect(states).toContain(stateOf(again.sandbox))
          if (cut.length === journal.length) expect(stateOf(again.sandbox)).toBe(states.at(-1))
          await again.sandbox.close()
        },
      ),
      { numRuns: samples(30) },
    )
  })
})

describe('damage', () => {
  it('a torn last line -> left out', async () => {
    const { disk } = await crashedDisk()
    const journal = await readFile(disk.path('data.json.wal'))
    await put(disk, { 'data.json.wal': journal.subarray(0, -5) })
    const { sandbox, said } = await startOn(disk)
    expect([sandbox.state.size('customers'), said]).toEqual([
      3,
      [`${notClosed}: recovered up to commit 2; an unfinished commit after it is ignored`],
    ])
  })

  it.each([2, 3, 4])('line %j is not as it was written -> refused, and left as it is', async (line) => {
    const { disk } = await crashedDisk()
    await spoilLine(disk, line)
    const before = await filesOn(disk)
    const lines = await linesOf(disk)
    const offset = lines.slice(0, line - 1).join('\n').length + 1
    expect(await refusalOf(disk)).toBe(
      `data.json.wal:${line}: is damaged at byte ${offset}: the checksum of the line is wrong\n${orRecover}`,
    )
    expect(await filesOn(disk)).toEqual(before)
  })

  it('... with --recover -> the writes before it, and the journal is kept aside', async () => {
    const { disk } = await crashedDisk()
    await spoilLine(disk, 3)
    const { 'data.json.wal': journal } = await filesOn(disk)
    const { sandbox, said } = await startOn(disk, { recover: true })
    expect(said).toEqual([
      expect.stringMatching(
        /^recovered: data\.json up to commit 1; not used: data\.json\.wal:3 is damaged at byte \d+: the checksum of the line is wrong; the parts that were skipped are saved in data\.json\.wal\.unusable$/,
      ),
    ])
    expect(sandbox.state.get('customers', 'cus_new_0')).toBeDefined()
    expect(sandbox.state.get('customers', 'cus_new_1')).toBeUndefined()
    expect(await filesOn(disk)).toMatchObject({ 'data.json.wal.unusable': journal })
    expect(await linesOf(disk)).toHaveLength(1)
  })

  it('a journal that goes on later than its file, both of version 0.1.0 -> refused', async () => {
    const { disk } = await crashedDisk()
    await put(disk, { 'data.json': document({ sandbox: { seq: 1 } }), 'data.json.wal': '' })
    await put(disk, { 'data.json.wal': (await filesOn((await crashedDisk()).disk))['data.json.wal'] ?? '' })
    const lines = (await filesOn(disk))['data.json.wal']?.split('\n') ?? []
    await put(disk, { 'data.json.wal': lines.slice(3).join('\n') })
    expect(await refusalOf(disk)).toBe(
      `data.json.wal:1: continues at byte 0 with commit 3, but commit 2 comes next\n${orRecover}`,
    )
  })

  it('a journal without its file -> refused; with --recover the snapshot before', async () => {
    const disk = await watchDisk()
    const first = await startOn(disk, { fixtures })
    await first.sandbox.close()
    const second = await startOn(disk, { fixtures })
    second.sandbox.state.put('customers', 'cus_2', {})
    await second.sandbox.saved()
    const copy = await crashed(disk)
    const { unlink } = await import('node:fs/promises')
    await unlink(copy.path('data.json'))
    expect(await refusalOf(copy)).toBe(
      `data.json.wal:1: belongs to data.json, which does not exist\n${orRecover}`,
    )
    await utimes(copy.path('data.json.prev'), 0, 1_700_000_000)
    const { sandbox, said } = await startOn(copy, { recover: true })
    expect(said).toEqual([
      'recovered: data.json.prev of 2023-11-14T22:13:20.000Z up to commit 1; later writes to data.json are lost',
    ])
    // The snapshot before is of the same moment, so that the journal still fits.
    expect(sandbox.state.get('customers', 'cus_2')).toBeDefined()
  })

  it('a damaged file -> refused with a hint; --recover goes back and keeps what it leaves out', async () => {
    const disk = await watchDisk()
    const first = await startOn(disk, { fixtures })
    first.sandbox.state.put('customers', 'cus_2', {})
    await first.sandbox.close()
    const files = await filesOn(disk)
    await put(disk, { 'data.json': files['data.json']?.slice(0, 100) ?? '' })
    expect((await refusalOf(disk)).split('\n').at(-1)).toBe(
      'data.json: was not changed. Repair it or put it back, or start with --recover to use what is intact, or move it and the files next to it away to start with an empty state',
    )
    await utimes(disk.path('data.json.prev'), 0, 1_700_000_000)
    const { sandbox, said } = await startOn(disk, { recover: true })
    expect(said).toEqual([
      'recovered: data.json.prev of 2023-11-14T22:13:20.000Z up to commit 0; later writes to data.json are lost; the parts that were skipped are saved in data.json.unusable',
    ])
    expect(sandbox.state.list('customers').map((row) => (row as { id: string }).id)).toEqual(['cus_1'])
    expect(await filesOn(disk)).toMatchObject({
      'data.json.prev': files['data.json.prev'],
      'data.json.unusable': files['data.json']?.slice(0, 100),
    })
    await sandbox.close()
    // Recovered files need no second recovery.
    expect((await startOn(disk, { recover: true })).said).toEqual([])
  })

  it('neither the file nor the one before can be used -> refused, also with --recover', async () => {
    const disk = await watchDisk()
    await put(disk, { 'data.json': '[1]', 'data.json.prev': '[2]' })
    const message =
      'data.json:1:1: must be a state document\n[1]\n^\n' +
      'data.json: was not changed. Repair it or put it back, or move it and the files next to it away to start with an empty state'
    expect(await refusalOf(disk, { recover: true })).toBe(message)
    expect(await filesOn(disk)).toEqual({ 'data.json': '[1]', 'data.json.prev': '[2]' })
  })

  it('nothing damaged -> --recover changes nothing', async () => {
    const { disk, state } = await crashedDisk()
    const { sandbox, said } = await startOn(disk, { recover: true })
    expect([stateOf(sandbox), said]).toEqual([state, [`${notClosed}: recovered up to commit 3`]])
  })
})
