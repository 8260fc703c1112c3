// Named snapshots and scenarios of a workspace survive the end of the process, in a data file and in a folder.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/index.ts'
import { crashed, dataName } from '../helpers/data.ts'
import { watchDisk, type Disk } from '../helpers/disk.ts'
import { withTest } from '../setup/with-test.ts'

const fixtures = { customers: [{ id: 'cus_1', first_name: 'Ada' }] }
const vanishes = {
  name: 'vanishes',
  description: 'The customer is gone.',
  rules: [{ on: 'linkCustomer', effect: 'not_found' }],
}

async function start(disk: Disk, data: string): Promise<{ sandbox: Sandbox; said: string[] }> {
  const said: string[] = []
  const say = (line: string): void => void said.push(line)
  const sandbox = await createSandbox(
    { fixtures, seed: 7, data: join(disk.folder, data) },
    { onNotice: say, onProblem: say },
  )
  withTest(() => sandbox.close().catch(() => undefined))
  return { sandbox, said }
}

async function settingsOf({ scenarios, snapshots }: Sandbox): Promise<unknown> {
  const registered = (await scenarios.list()).filter((one) => one.registered).map(({ name }) => name)
  return { active: await scenarios.active(), registered, snapshots: snapshots.list().map(({ name }) => name) }
}

/** The settings that `arrange` leaves. */
const arranged = { active: ['slow', 'vanishes'], registered: ['vanishes'], snapshots: ['before'] }

async function arrange(sandbox: Sandbox): Promise<void> {
  sandbox.snapshot('before')
  sandbox.snapshot('obsolete')
  await sandbox.scenarios.register(vanishes)
  await sandbox.scenarios.activate('slow', 'vanishes')
  sandbox.state.put('customers', 'cus_2', { first_name: 'Bea' })
  sandbox.snapshots.delete('obsolete')
  await sandbox.saved()
}

describe.each([
  ['a data file', dataName],
  ['a folder', 'folder/'],
])('%s', (_what, data) => {
  it.each(['closed', 'killed'] as const)('that was %s has snapshots and scenarios', async (how) => {
    const disk = await watchDisk()
    const { sandbox } = await start(disk, data)
    await arrange(sandbox)
    const left = how === 'killed' ? await crashed(disk) : disk
    await sandbox.close()
    const again = await start(left, data)
    expect(await settingsOf(again.sandbox)).toEqual(arranged)
    again.sandbox.restore('before')
    expect(again.sandbox.state.list('customers').map(({ id }) => id)).toEqual(['cus_1'])
  })

  it('that was reset begins again without own scenarios, and keeps its snapshots', async () => {
    const disk = await watchDisk()
    const { sandbox } = await start(disk, data)
    await arrange(sandbox)
    sandbox.reset()
    await sandbox.saved()
    await sandbox.close()
    const again = await start(disk, data)
    expect(await settingsOf(again.sandbox)).toEqual({ active: [], registered: [], snapshots: ['before'] })
  })
})

it('counts of a scenario begin again', async () => {
  const disk = await watchDisk()
  const first = await start(disk, dataName)
  await first.sandbox.scenarios.register(vanishes)
  await first.sandbox.scenarios.activate('vanishes')
  const call = async ({ fetch, apiKey }: Sandbox): Promise<number> => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ partner_customer_id: 'p1' })
    return (await fetch('/v2/customers/cus_1', { method: 'PATCH', headers, body })).status
  }
  await call(first.sandbox)
  await first.sandbox.close()
  const { sandbox } = await start(disk, dataName)
  const [rule] = (await sandbox.scenarios.get('vanishes'))?.rules ?? []
  expect(rule).toMatchObject({ calls: 0, hits: 0 })
})

it('an active scenario that no longer exists -> a notice, and it is off', async () => {
  const disk = await watchDisk()
  const { sandbox } = await start(disk, dataName)
  await sandbox.scenarios.register(vanishes)
  await sandbox.scenarios.activate('slow', 'vanishes')
  await sandbox.close()
  const text = await readFile(disk.path(dataName), 'utf8')
  const changed = text.replace('"slow"', '"gone"').replace(/,"checksum":"[0-9a-f]{8}"/, '')
  await writeFile(disk.path(dataName), changed)
  const again = await start(disk, dataName)
  expect(await again.sandbox.scenarios.active()).toEqual(['vanishes'])
  expect(again.said.filter((line) => line.includes("'gone'"))).toEqual([
    `${disk.path(dataName)}: scenario 'gone' was active and no longer exists, so it is off now`,
  ])
})

it('settings that cannot be saved are rolled back', async () => {
  const disk = await watchDisk()
  const { sandbox } = await start(disk, dataName)
  await sandbox.scenarios.activate('slow')
  await sandbox.saved()
  disk.judge = () => 'ENOSPC'
  sandbox.snapshot('late')
  await sandbox.scenarios.activate('hang')
  await expect(sandbox.saved()).rejects.toThrow('could not be saved')
  expect(await settingsOf(sandbox)).toEqual({ active: ['slow'], registered: [], snapshots: [] })
  await expect(sandbox.scenarios.activate('hang')).rejects.toThrow('cannot be written')
})
