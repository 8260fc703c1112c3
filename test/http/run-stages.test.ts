import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../src/contract/errors.ts'
import { runStages } from '../../src/http/run-stages.ts'
import type { Stage } from '../../src/http/stage.ts'
import { callOf, serviceWithOneReward } from '../helpers/served-call.ts'

const passes: Stage = { run: () => undefined }
const answers: Stage = { run: ({ outcome }) => outcome.answer(204, {}, null) }
const fails: Stage = {
  run: () => {
    throw new ApiError('FORBIDDEN_ERROR')
  },
}

describe('runStages', () => {
  it.each<[string, Stage[], status: number]>([
    ['a stage answers -> that is the answer, and the next does not run', [passes, answers, fails], 204],
    ['a stage throws a failure -> that is the answer, and the next does not run', [fails, answers], 403],
  ])('%s', (_, stages, status) => {
    const call = callOf(serviceWithOneReward(), 'GET')
    expect(runStages(call, stages)).toBeUndefined()
    expect(call.outcome.status).toBe(status)
  })

  it('a stage waits -> where the call goes on, and what it waits for', async () => {
    const call = callOf(serviceWithOneReward(), 'GET')
    const stages: Stage[] = [passes, { run: () => Promise.resolve('ready') }, answers]
    const pause = runStages(call, stages)
    expect(pause?.next).toBe(2)
    expect(call.outcome.status).toBe(0)
    await pause?.ready
    expect(runStages(call, stages, pause?.next)).toBeUndefined()
    expect(call.outcome.status).toBe(204)
  })

  it('no stage answers, or one throws what is no failure -> 500, and it is reported as a bug with its request id', () => {
    const service = serviceWithOneReward()
    const onBug = vi.spyOn(service, 'onBug')
    const bug = new Error('a bug')
    const throws: Stage = {
      run: () => {
        throw bug
      },
    }
    for (const stages of [[passes], [throws]]) {
      const call = callOf(service, 'GET')
      runStages(call, stages)
      expect(call.outcome.status).toBe(500)
      expect(call.outcome.body).not.toContain('a bug')
    }
    expect(onBug.mock.calls).toEqual([
      [new Error('no stage answered'), 'req_default_1'],
      [bug, 'req_default_2'],
    ])
  })
})

describe('a retry of a call', () => {
  it('keeps the number of the request, and nothing that the first attempt found or answered', () => {
    const service = serviceWithOneReward()
    const first = callOf(service, 'GET')
    service.workspaces.default.clock.set(new Date(1_000).toISOString())
    first.enter(service.workspaces.default)
    first.resolution.permitted = true
    first.request = first.request.withBody('{}')
    first.retryState.received = { content: '{}' }
    runStages(first, [answers])
    const next = first.retry()
    expect([next.outcome.id, next.outcome.status]).toEqual(['req_default_1', 0])
    expect(next.outcome.at).toBe(first.outcome.at)
    expect([next.resolution.permitted, next.request.body]).toEqual([false, undefined])
    expect(next.retryState).toBe(first.retryState)
  })
})
