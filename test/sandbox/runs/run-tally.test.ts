import { expect, it } from 'vitest'
import type { JournalEntry } from '../../../src/journal/entry.ts'
import { RunTally } from '../../../src/sandbox/runs/run-tally.ts'
import { callRecord } from '../../helpers/runs.ts'

it('a long run -> the newest 10,000 calls, whatever the order in which they were reported', () => {
  const tally = new RunTally()
  const transfer = { origin: 'http://localhost', machine_time: 0, request_bytes: 0, response_bytes: 0 }
  for (let number = 0; number < 25_000; number++) {
    // Two reports, one after the other, of calls that came in turns.
    const place = number < 12_500 ? number * 2 : (number - 12_500) * 2 + 1
    const entry = { id: `req_${place}`, at: new Date(place * 1000).toISOString() } as JournalEntry
    tally.add(callRecord({ journal: { entry, transfer } }))
  }
  const { entries, dropped } = tally.journal()
  expect([entries.length, dropped, entries[0]?.entry.id, entries.at(-1)?.entry.id]).toEqual([
    10_000,
    15_000,
    'req_24999',
    'req_15000',
  ])
})
