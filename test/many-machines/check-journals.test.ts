import { expect, test } from 'vitest'
import { journalFaults, numbersGivenTwice } from './check-journals.ts'
import type { Fleet } from './fleet.ts'
import { Random } from './random.ts'
import { Recording } from './run-work.ts'

/** Calls of one workspace: from when to when, with their number, or a reset. */
function recordingOf(...calls: [from: number, to: number, id: string | undefined][]): Recording {
  const recording = new Recording()
  for (const [started, ended, id] of calls) {
    const request =
      id === undefined ? { method: 'POST', path: '/_sandbox/reset' } : { method: 'GET', path: '/v2' }
    const call = { client: 0, replica: 0, started, ended, request, answer: '200', version: 1 }
    recording.add('ws', { ...call, ...(id === undefined ? {} : { id }) })
  }
  return recording
}

/** Replicas that show journals with these numbers. */
const showing = (...journals: string[][]): Fleet => ({
  replicas: journals.length,
  ask: async (replica) => ({
    status: 200,
    answer: '',
    version: 1,
    body: JSON.stringify({ requests: journals[replica]?.map((id) => ({ id })) }),
  }),
})

test('a number is given once, unless a reset may have come between', () => {
  expect(numbersGivenTwice(recordingOf([1, 2, 'req_1'], [3, 4, 'req_2']))).toEqual([])
  expect(numbersGivenTwice(recordingOf([1, 2, 'req_1'], [3, 4, undefined], [5, 6, 'req_1']))).toEqual([])
  expect(numbersGivenTwice(recordingOf([1, 2, 'req_1'], [3, 4, 'req_1']))).toEqual([
    'workspace ws: req_1 was given to calls that began at 1 and 3',
  ])
  expect(numbersGivenTwice(recordingOf([1, 2, undefined], [3, 4, 'req_1'], [5, 6, 'req_1']))).toHaveLength(1)
})

test('a journal holds what was acknowledged since the last reset, at each replica', async () => {
  const recording = recordingOf([1, 2, 'req_9'], [3, 4, undefined], [5, 6, 'req_1'], [7, 8, 'req_2'])
  const faults = (...journals: string[][]): Promise<string[]> =>
    journalFaults(showing(...journals), recording, new Random(1))
  expect(await faults(['req_2', 'req_1'], ['req_2', 'req_1'])).toEqual([])
  expect(await faults(['req_2'], ['req_2'])).toEqual([
    'workspace ws: req_1, which began at 5, is not in the journal',
  ])
  expect(await faults(['req_2', 'req_1'], ['req_1', 'req_2'])).toEqual([
    'workspace ws: replicas show other journals',
  ])
})
