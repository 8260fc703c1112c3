// A workspace as a document, with the deltas since, and back.
import { describe, expect, it } from 'vitest'
import { readDocument } from '../../../src/storage/core/read-document.ts'
import { aboutOf, documentOf } from '../../../src/storage/core/write-document.ts'
import { dumpState } from '../../../src/fixtures/dump.ts'
import { deltaSince } from '../../../src/storage/core/delta.ts'
import { Snapshot } from '../../../src/workspaces/snapshot.ts'
import { addOrder, assumptions, ordersOf, workspacesOfTest } from './workspaces-of-test.ts'

describe.each(['with its rows', 'with the changes from the baseline'])('a document %s', (form) => {
  const base = form === 'with its rows' ? undefined : workspacesOfTest().baseline
  const options = { assumptions, seed: 1, base }

  it('has rows, ids, clock and snapshots; deltas add what came later', async () => {
    const workspace = workspacesOfTest().findOrCreate('team')
    addOrder(workspace, 'ord_a')
    workspace.changeSettings((clock) => clock.set(60_000, true))
    workspace.snapshots = new Map([['before', new Snapshot(workspace, 'before')]])
    const checkpoint = workspace.checkpoint()
    const document = Buffer.from([...documentOf(workspace, checkpoint, 7, { seed: 1, base })].join(''))
    addOrder(workspace, 'ord_b')
    const delta = deltaSince(checkpoint, workspace)
    const read = await readDocument(
      { checkpoint: document, deltas: [JSON.stringify(delta)] },
      'team.json',
      options,
    )
    expect(ordersOf(read)).toEqual(['ord_a', 'ord_b'])
    expect(dumpState(read.state, { seed: 1 })).toEqual(dumpState(workspace.state, { seed: 1 }))
    expect(read.state.ids).toBe(workspace.state.ids)
    expect(read.sandbox.clock).toEqual({ now: '1970-01-01T00:01:00.000Z', frozen: true })
    expect([...read.snapshots.keys()]).toEqual(['before'])
    const { before } = Object.fromEntries(read.snapshots)
    expect(before && ordersOf(before)).toEqual(['ord_a'])
    expect(read.part?.created_at).toBe('1970-01-01T00:00:00.000Z')
    expect([read.at, read.nextRequest]).toEqual([60_000, 7])
  })
})

it('a list shows when it was created and a key of each environment', () => {
  expect(JSON.parse(aboutOf(workspacesOfTest().findOrCreate('team')))).toEqual({
    created_at: '1970-01-01T00:00:00.000Z',
    ready_keys: { sandbox: 'sk_sandbox_full', production: 'sk_production_full' },
  })
})
