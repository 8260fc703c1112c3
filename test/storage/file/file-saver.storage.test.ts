import { readFile } from 'node:fs/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { NotSavedError } from '../../../src/index.ts'
import { readJournal } from '../../../src/storage/file/journal-lines.ts'
import { gate, watchDisk, type Disk } from '../../helpers/disk.ts'
import { crashed, filesOn, startOn, stateOf, type Kept } from '../../helpers/data.ts'
import { patient } from '../../helpers/patient.ts'

// After failures, the next attempt may be 5 s away.
const fixtures = { customers: [{ id: 'cus_1' }], rewards: [{ id: 'rwd_1', customer_id: 'cus_1' }] }

async function start(options: Parameters<typeof startOn>[1] = {}): Promise<Kept & { disk: Disk }> {
  const disk = await watchDisk()
  const kept = await startOn(disk, { fixtures, ...options })
  disk.steps.length = 0
  return { ...kept, disk }
}

/** Makes a step fail until the test says otherwise. */
function failing(disk: Disk, step: string, code: string): void {
  disk.judge = (met) => (met === step ? code : undefined)
}

const intent = { json: { customer_id: 'cus_1', amount: 1, currency: 'USD' } }

/** The log of a start with fixtures and a closed file. */
const usedLine =
  'data.json exists and is used; the fixtures are the state after a reset, and that of new workspaces'

/** The rows that each entry of the journal changed. */
async function journalOf(disk: Disk): Promise<unknown[][]> {
  const { lines } = readJournal(await readFile(disk.path('data.json.wal')))
  return lines.map(({ entry }) => {
    const { put = {}, gone = {} } = entry.delta.state ?? {}
    const rows = Object.values(put).flatMap((some): object[] => some)
    return [...rows.map((row) => ('id' in row ? row.id : undefined)), ...Object.values(gone).flat()]
  })
}

describe('saving', () => {
  it('a write is on the disk when it is answered', async () => {
    const { sandbox, disk } = await start()
    const { status, json } = await sandbox.call('POST', '/v2/transaction_intents', intent)
    expect(status).toBe(201)
    expect(disk.steps).toEqual(['write data.json.wal', 'fdatasync data.json.wal'])
    expect(await journalOf(disk)).toEqual([[json.id]])
  })

  it('a read, and a write that is refused, wait for nothing', async () => {
    const { sandbox, disk } = await start()
    await sandbox.call('GET', '/v2/rewards/rwd_1')
    await sandbox.call('POST', '/v2/transaction_intents', { json: { customer_id: 'cus_1' } })
    await sandbox.call('DELETE', '/v2/order_events/ord_nobody')
    expect(disk.steps).toEqual([])
  })

  it('calls at once share a save; those that come meanwhile share the next', async () => {
    const { sandbox, disk } = await start()
    const { opened, open } = gate()
    disk.judge = (step) => (step.startsWith('fdatasync') ? opened : undefined)
    const answered: number[] = []
    const call = async (at: number): Promise<void> => {
      await sandbox.call('POST', '/v2/transaction_intents', intent)
      answered.push(at)
    }
    const first = Array.from({ length: 10 }, (_, at) => call(at))
    while (disk.steps.length < 2) await new Promise(setImmediate)
    const second = Array.from({ length: 10 }, (_, at) => call(10 + at))
    // A read may see what is still on its way to the disk.
    expect(sandbox.state.size('transaction_intents')).toBeGreaterThanOrEqual(10)
    expect((await sandbox.call('GET', '/v2/rewards/rwd_1')).status).toBe(200)
    expect((await sandbox.call('DELETE', '/v2/order_events/ord_nobody')).status).toBe(400)
    expect(answered).toEqual([])
    open()
    await Promise.all([...first, ...second])
    expect(disk.steps.filter((step) => step.startsWith('fdatasync'))).toHaveLength(2)
    expect(answered.slice(0, 10).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('direct writes are kept too, as saved() tells', async () => {
    const { sandbox, disk } = await start()
    sandbox.state.put('customers', 'cus_2', {})
    sandbox.clock.advance({ hours: 1 })
    sandbox.state.delete('rewards', 'rwd_1')
    await sandbox.saved()
    expect(await journalOf(disk)).toEqual([['cus_2', 'rwd_1']])
    expect(disk.steps).toEqual(['write data.json.wal', 'fdatasync data.json.wal'])
    await sandbox.saved()
    expect(disk.steps).toHaveLength(2)
  })

  it('what scenarios change is kept before the answer, also when the answer is lost', async () => {
    const { sandbox, disk } = await start({ scenarios: ['commit-but-answer-lost'] })
    const lost = sandbox.fetch('/v2/transaction_intents', {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(intent.json),
    })
    await expect(lost).rejects.toThrow('fetch failed')
    expect(disk.steps).toEqual(['write data.json.wal', 'fdatasync data.json.wal'])
    expect(stateOf((await startOn(await crashed(disk), { fixtures })).sandbox)).toBe(stateOf(sandbox))
  })

  it('a change by a scenario at a read -> the read waits until it is kept', async () => {
    const { sandbox, disk } = await start()
    await sandbox.scenarios.register({
      name: 'settles',
      description: 'Somebody else settles the reward.',
      rules: [
        { on: 'retrieveReward', effect: { change: { rewards: { rwd_1: { amount: 7 } } }, at: 'after' } },
      ],
    })
    await sandbox.scenarios.activate('settles')
    await sandbox.call('GET', '/v2/rewards/rwd_1')
    // Registered, activated and acted, all before the disk was waited for: one entry.
    expect(await journalOf(disk)).toEqual([['rwd_1']])
  })

  it('without data -> saved() resolves, and a write is answered without a turn of the event loop', async () => {
    const disk = await watchDisk()
    const { createSandbox } = await import('../../../src/index.ts')
    const sandbox = await createSandbox({ fixtures })
    sandbox.state.put('customers', 'cus_2', {})
    await sandbox.saved()
    expect(disk.steps).toEqual([])
  })
})

describe('--durability', () => {
  it('write -> nothing waits for the disk', async () => {
    const { sandbox, disk } = await start({ durability: 'write' })
    await sandbox.call('POST', '/v2/transaction_intents', intent)
    expect(disk.steps).toEqual(['write data.json.wal'])
    sandbox.reset()
    await sandbox.saved()
    await sandbox.close()
    expect(disk.steps.filter((step) => step.includes('sync'))).toEqual([])
    expect(disk.steps).toContain('rename data.json')
  })

  it('exit -> nothing is written until the end', async () => {
    const { sandbox, disk } = await start({ durability: 'exit' })
    await sandbox.call('POST', '/v2/transaction_intents', intent)
    sandbox.clock.advance({ days: 1 })
    sandbox.reset()
    sandbox.state.put('customers', 'cus_2', {})
    await sandbox.saved()
    expect(disk.steps).toEqual([])
    const state = stateOf(sandbox)
    await sandbox.close()
    expect(Object.keys(await filesOn(disk))).toEqual(['data.json', 'data.json.prev'])
    expect(stateOf((await startOn(disk, { fixtures })).sandbox)).toBe(state)
  })

  it('exit, and the end cannot be saved -> close rejects; the file is as it was', async () => {
    const { sandbox, disk } = await start({ durability: 'exit' })
    const before = await filesOn(disk)
    sandbox.state.put('customers', 'cus_2', {})
    failing(disk, 'rename data.json', 'ENOSPC')
    await expect(sandbox.close()).rejects.toEqual(
      new NotSavedError(
        `${disk.path('data.json')} was not saved: no space is left on the disk.`,
        'rolled back',
      ),
    )
    disk.judge = () => undefined
    expect((await filesOn(disk))['data.json']).toBe(before['data.json'])
  })

  it('exit after fsync -> what the journal held is taken over', async () => {
    const { sandbox, disk } = await start()
    sandbox.state.put('customers', 'cus_2', {})
    await sandbox.saved()
    const copy = await crashed(disk)
    const again = await startOn(copy, { fixtures, durability: 'exit' })
    expect(stateOf(again.sandbox)).toBe(stateOf(sandbox))
    expect(Object.keys(await filesOn(copy))).toEqual(['data.json', 'data.json.prev'])
  })
})

describe('closing', () => {
  it('nothing was written -> the file says that it was closed, and the journal and lock are gone', async () => {
    const { sandbox, disk } = await start()
    await sandbox.close()
    expect(disk.steps).toEqual([
      'open data.json.tmp',
      'write data.json.tmp',
      'fsync data.json.tmp',
      'rename data.json',
      'open .',
      'fsync .',
      'unlink data.json.wal',
      'unlink data.json.lock',
    ])
    expect((await startOn(disk, { fixtures })).said).toEqual([usedLine])
  })

  it('waits for what is being saved, then saves all as one snapshot', async () => {
    const { sandbox, disk } = await start()
    sandbox.state.put('customers', 'cus_2', {})
    await sandbox.close()
    expect(disk.steps).toContain('fdatasync data.json.wal')
    expect(Object.keys(await filesOn(disk))).toEqual(['data.json', 'data.json.prev'])
    await sandbox.close()
  })

  it('afterwards nothing can be written, and nothing pretends to', async () => {
    const { sandbox } = await start()
    await sandbox.close()
    const closed = new NotSavedError('The sandbox is closed, so nothing can be saved.', 'not made')
    const before = stateOf(sandbox)
    expect(() => sandbox.state.put('customers', 'cus_2', {})).toThrow(closed)
    expect(() => sandbox.clock.advance({ hours: 1 })).toThrow(closed)
    expect(() => sandbox.reset()).toThrow(closed)
    expect((await sandbox.call('POST', '/v2/transaction_intents', intent)).status).toBe(503)
    expect((await sandbox.call('GET', '/v2/rewards/rwd_1')).status).toBe(200)
    expect(stateOf(sandbox)).toBe(before)
  })

  it('the last snapshot takes too long -> given up without a word: the journal has it all', async () => {
    // More than one piece.
    const many = { customers: Array.from({ length: 800 }, (_, at) => ({ id: `cus_many_${at}` })) }
    const { sandbox, disk, said } = await start({ fixtures: many })
    sandbox.state.put('customers', 'cus_2', {})
    await sandbox.saved()
    const state = stateOf(sandbox)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { opened, open } = gate()
    disk.judge = (step) => (step === 'write data.json.tmp' ? opened : undefined)
    const closing = sandbox.close()
    while (!disk.steps.includes('write data.json.tmp')) await new Promise(setImmediate)
    vi.advanceTimersByTime(300)
    open()
    await closing
    expect([said, disk.steps.includes('rename data.json')]).toEqual([[], false])
    expect(Object.keys(await filesOn(disk))).toEqual(['data.json', 'data.json.wal'])
    const again = await startOn(disk, { fixtures: many })
    expect(stateOf(again.sandbox)).toBe(state)
  })

  it('the last snapshot fails -> said, but nothing is lost: the journal has it', async () => {
    const { sandbox, disk, said } = await start()
    sandbox.state.put('customers', 'cus_2', {})
    await sandbox.saved()
    failing(disk, 'rename data.json', 'ENOSPC')
    await sandbox.close()
    expect(said).toEqual([
      'data.json was not saved at the end: no space is left on the disk. Its journal has every change.',
    ])
    disk.judge = () => undefined
    expect(stateOf((await startOn(disk, { fixtures })).sandbox)).toBe(stateOf(sandbox))
  })
})

describe('a save that fails', () => {
  const reason = 'no space is left on the disk'

  it('is rolled back as if it had never been; reading goes on, writing waits, then all is well', async () => {
    const { sandbox, disk, said, says } = await start()
    await sandbox.call('POST', '/v2/transaction_intents', intent)
    const before = stateOf(sandbox)
    failing(disk, 'fdatasync data.json.wal', 'ENOSPC')
    sandbox.state.put('customers', 'cus_2', {})
    sandbox.clock.advance({ hours: 1 })
    const message = `The change could not be saved to ${disk.path('data.json')} (${reason}), so it was rolled back.`
    await expect(sandbox.saved()).rejects.toEqual(new NotSavedError(message, 'rolled back'))
    expect(stateOf(sandbox)).toBe(before)
    const refused = `data.json cannot be written (${reason}): changes are refused until it can; reads continue.`
    expect(said).toEqual([refused])
    expect(sandbox.health().status).toBe('degraded')
    expect(() => sandbox.state.put('customers', 'cus_3', {})).toThrow(NotSavedError)
    expect(() => sandbox.clock.freeze()).toThrow(NotSavedError)
    expect(() => sandbox.reset()).toThrow(NotSavedError)
    expect(stateOf(sandbox)).toBe(before)
    // Nothing more is left to answer for.
    await sandbox.saved()

    disk.judge = () => undefined
    expect(await says()).toBe('data.json can be written again.')
    expect(sandbox.health().status).toBe('ok')
    sandbox.state.put('customers', 'cus_4', {})
    await sandbox.saved()
    expect(stateOf((await startOn(await crashed(disk), { fixtures })).sandbox)).toBe(stateOf(sandbox))
    expect(sandbox.state.get('customers', 'cus_2')).toBeUndefined()
  })

  it.each([
    ['half of the lines were written', 'write data.json.wal'],
    ['the disk did not take them', 'fdatasync data.json.wal'],
  ])('%s, and they cannot be cut off -> a crash brings back what was acknowledged', async (_what, step) => {
    const { sandbox, disk } = await start()
    await sandbox.call('POST', '/v2/transaction_intents', intent)
    const kept = stateOf(sandbox)
    disk.judge = (met) => (met === step || met === 'ftruncate data.json.wal' ? 'ENOSPC' : undefined)
    expect((await sandbox.call('POST', '/v2/transaction_intents', intent)).status).toBe(500)
    expect(stateOf(sandbox)).toBe(kept)
  })

  it('is tried again and again, with longer pauses, until it works', async () => {
    const { sandbox, disk, said } = await start()
    let attempts = 0
    disk.judge = (step) =>
      step === 'write data.json.wal' || (step === 'open data.json.tmp' && ++attempts < 3)
        ? 'ENOSPC'
        : undefined
    expect((await sandbox.call('POST', '/v2/transaction_intents', intent)).status).toBe(500)
    await vi.waitUntil(() => said.length === 2, patient)
    expect(said[1]).toBe('data.json can be written again.')
    expect(attempts).toBe(3)
    disk.judge = () => undefined
    expect((await sandbox.call('POST', '/v2/transaction_intents', intent)).status).toBe(201)
  })

  it('closing ends the attempts; what was acknowledged is there', async () => {
    const { sandbox, disk } = await start()
    await sandbox.call('POST', '/v2/transaction_intents', intent)
    const kept = stateOf(sandbox)
    failing(disk, 'write data.json.wal', 'ENOSPC')
    await sandbox.call('POST', '/v2/transaction_intents', intent)
    await sandbox.close()
    disk.judge = () => undefined
    expect(stateOf((await startOn(disk, { fixtures })).sandbox)).toBe(kept)
  })

  it('a reset that cannot be saved is rolled back as well', async () => {
    const { sandbox, disk, says } = await start()
    sandbox.state.put('customers', 'cus_2', {})
    await sandbox.saved()
    const before = stateOf(sandbox)
    failing(disk, 'write data.json.tmp', 'ENOSPC')
    sandbox.reset()
    expect(sandbox.state.size('customers')).toBe(1)
    await expect(sandbox.saved()).rejects.toThrow(NotSavedError)
    expect(stateOf(sandbox)).toBe(before)
    disk.judge = () => undefined
    await says()
    sandbox.reset()
    await sandbox.saved()
    expect((await startOn(await crashed(disk), { fixtures })).sandbox.state.size('customers')).toBe(1)
  })

  it('a reset whose name may not be on the disk is rolled back; a restart finds the old or the new state', async () => {
    const { sandbox, disk, says } = await start()
    sandbox.state.put('customers', 'cus_2', {})
    await sandbox.saved()
    const before = stateOf(sandbox)
    failing(disk, 'fsync .', 'ENOSPC')
    sandbox.reset()
    await expect(sandbox.saved()).rejects.toThrow(NotSavedError)
    expect(stateOf(sandbox)).toBe(before)
    const inBetween = await startOn(await crashed(disk), { fixtures })
    expect([1, 2]).toContain(inBetween.sandbox.state.size('customers'))
    await inBetween.sandbox.close()
    disk.judge = () => undefined
    await says()
    expect(stateOf((await startOn(await crashed(disk), { fixtures })).sandbox)).toBe(before)
  })

  it.each(['fdatasync data.json.wal', 'fsync data.json.tmp', 'fsync .'])(
    'EIO at "%s" -> not tried again: the sandbox closes, and every later write is refused',
    async (step) => {
      const { sandbox, disk, lost, said } = await start()
      await sandbox.call('POST', '/v2/transaction_intents', intent)
      const kept = stateOf(sandbox)
      failing(disk, step, 'EIO')
      if (step.endsWith('wal')) sandbox.state.put('customers', 'cus_2', {})
      else sandbox.reset()
      await expect(sandbox.saved()).rejects.toThrow(NotSavedError)
      const error = await lost
      expect(error.message).toBe(
        `${disk.path('data.json')} cannot be written any more: the disk reported an error. It has every acknowledged change; start again when the disk works.`,
      )
      expect(stateOf(sandbox)).toBe(kept)
      disk.judge = () => undefined
      disk.steps.length = 0
      expect(() => sandbox.state.put('customers', 'cus_3', {})).toThrow(error)
      await sandbox.close()
      expect(disk.steps.filter((met) => met.startsWith('write'))).toEqual([])
      expect(said).toEqual([])
      expect(sandbox.health().status).toBe('degraded')
    },
  )
})

describe('another state', () => {
  it('a reset is saved as a snapshot, and what is written after it waits for that', async () => {
    const { sandbox, disk } = await start()
    sandbox.state.put('customers', 'cus_2', {})
    await sandbox.saved()
    disk.steps.length = 0
    sandbox.reset()
    sandbox.state.put('customers', 'cus_3', {})
    await sandbox.saved()
    expect(disk.steps.filter((step) => !step.includes('prev'))).toEqual([
      'open data.json.tmp',
      'write data.json.tmp',
      'fsync data.json.tmp',
      'link data.json.tmp',
      'unlink data.json.tmp',
      'rename data.json',
      'open .',
      'fsync .',
      'ftruncate data.json.wal',
    ])
    const again = await startOn(await crashed(disk), { fixtures })
    expect(again.sandbox.state.list('customers').map((row) => (row as { id: string }).id)).toEqual([
      'cus_1',
      'cus_3',
    ])
  })

  it('writes that still wait for the disk are dropped with 503; all others see the old or the new state', async () => {
    const { sandbox, disk } = await start()
    const { opened, open } = gate()
    disk.judge = (step) => (step.startsWith('fdatasync') ? opened : undefined)
    const waiting = Array.from({ length: 50 }, () => sandbox.call('POST', '/v2/transaction_intents', intent))
    while (disk.steps.length < 2) await new Promise(setImmediate)
    sandbox.reset()
    const later = sandbox.call('POST', '/v2/transaction_intents', intent)
    open()
    const answers = await Promise.all(waiting)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    expect(answers[0]?.json).toEqual({
      error: {
        type: 'SERVICE_UNAVAILABLE_ERROR',
        message: 'The whole state was replaced before this change was saved to data.json: it is lost.',
      },
    })
    expect((await later).status).toBe(201)
    const again = await startOn(await crashed(disk), { fixtures })
    expect(again.sandbox.state.size('transaction_intents')).toBe(1)
    expect(stateOf(again.sandbox)).toBe(stateOf(sandbox))
  })
})

describe('another state, once more', () => {
  it.each(['reset', 'restore', 'state'] as const)(
    'resets that wait for the disk while a %s comes -> all are answered 200, once one state is saved',
    async (verb) => {
      const { sandbox, disk } = await start()
      sandbox.snapshot('before')
      const { opened, open } = gate()
      disk.judge = (step) => (step.startsWith('fsync data.json.tmp') ? opened : undefined)
      const begun = disk.steps.length
      const ask = (path: string, method = 'POST', body?: string): Promise<Response> =>
        sandbox.fetch(`/_sandbox/${path}`, {
          method,
          ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
        })
      const first = ask('reset')
      while (!disk.steps.slice(begun).some((step) => step.startsWith('fsync')))
        await new Promise(setImmediate)
      const second = ask('reset')
      const third = {
        reset: () => ask('reset'),
        restore: () => ask('snapshots/before/restore'),
        state: () => ask('state', 'PUT', JSON.stringify(fixtures)),
      }[verb]()
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
      open()
      expect((await Promise.all([first, second, third])).map(({ status }) => status)).toEqual([200, 200, 200])
      const again = await startOn(await crashed(disk), { fixtures })
      expect(stateOf(again.sandbox)).toBe(stateOf(sandbox))
    },
  )
})

describe('the journal outgrows the snapshot', () => {
  const large = { maxBody: 2_097_152 }
  const largeIntent = { json: { ...intent.json, merchant_name: 'x'.repeat(1_000_000) } }

  it('a snapshot is made while writing goes on, and the journal forgets what is in it', async () => {
    const { sandbox, disk } = await start(large)
    const { opened, open } = gate()
    disk.judge = (step) => (step === 'rename data.json' ? opened : undefined)
    for (let at = 0; at < 5; at++) await sandbox.call('POST', '/v2/transaction_intents', largeIntent)
    expect((await readFile(disk.path('data.json.wal'))).length).toBeGreaterThan(5_000_000)
    // Made from what was kept then; these come on top.
    for (let at = 0; at < 3; at++) await sandbox.call('POST', '/v2/transaction_intents', intent)
    while (!disk.steps.includes('rename data.json')) await new Promise(setImmediate)
    const during = await startOn(await crashed(disk), { fixtures, ...large })
    expect(stateOf(during.sandbox)).toBe(stateOf(sandbox))
    await during.sandbox.close()
    open()
    disk.judge = () => undefined
    while (!disk.steps.includes('fsync .')) await new Promise(setImmediate)
    const between = await startOn(await crashed(disk), { fixtures, ...large })
    expect(stateOf(between.sandbox)).toBe(stateOf(sandbox))
    await between.sandbox.close()
    // The first that is written once the snapshot is on the disk has the journal forget.
    let calls = 3
    while (!disk.steps.includes('rename data.json.wal') && calls < 1_000) {
      await sandbox.call('POST', '/v2/transaction_intents', intent)
      calls += 1
    }
    expect(await journalOf(disk)).toHaveLength(calls)
    const after = await startOn(await crashed(disk), { fixtures, ...large })
    expect(stateOf(after.sandbox)).toBe(stateOf(sandbox))
  })

  it('the snapshot cannot be made -> said; writing goes on, and nothing is lost', async () => {
    const { sandbox, disk, said } = await start(large)
    failing(disk, 'rename data.json', 'ENOSPC')
    for (let at = 0; at < 5; at++) await sandbox.call('POST', '/v2/transaction_intents', largeIntent)
    while (said.length === 0) {
      expect((await sandbox.call('POST', '/v2/transaction_intents', intent)).status).toBe(201)
    }
    expect(said[0]).toBe(
      'data.json could not be rewritten (no space is left on the disk): data.json.wal keeps growing until it can.',
    )
    expect(sandbox.health().status).toBe('ok')
    disk.judge = () => undefined
    expect(stateOf((await startOn(await crashed(disk), { fixtures, ...large })).sandbox)).toBe(
      stateOf(sandbox),
    )
  })

  it('a reset meanwhile -> its snapshot is the one that stays', async () => {
    const { sandbox, disk } = await start(large)
    const { opened, open } = gate()
    disk.judge = (step) => (step === 'rename data.json' ? opened : undefined)
    for (let at = 0; at < 5; at++) await sandbox.call('POST', '/v2/transaction_intents', largeIntent)
    sandbox.reset()
    const saved = sandbox.saved()
    open()
    await saved
    const again = await startOn(await crashed(disk), { fixtures, ...large })
    expect(again.sandbox.state.size('transaction_intents')).toBe(0)
  })
})
