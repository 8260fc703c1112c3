import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../src/runtime/host.ts'
import { readdir } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { withWorkspace } from '../../src/testing/jest.ts'
import { folderWith } from '../helpers/fake-io.ts'

/** The kit without Jest, which runs it in test/package. */
let traces: string
beforeEach(async () => {
  traces = await folderWith()
  vi.stubEnv('SANDBOX_TRACE_DIR', traces)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

/** The members of Jest that the kit uses. */
const inTest = (state: { currentTestName?: string; currentConcurrentTestName?: () => string | undefined }) =>
  vi.stubGlobal('expect', { getState: () => state })

describe('the kit of Jest', () => {
  test('an environment without the globals of Node, such as jsdom -> names the docblock', async () => {
    const kit = JSON.stringify(join(packageRoot(), 'dist/jest.cjs'))
    const run = promisify(execFile)(process.execPath, ['-e', `delete globalThis.Response; require(${kit})`])
    await expect(run).rejects.toThrow(
      "needs the globals of Node, such as Response, which testEnvironment 'jsdom' removes: begin the test file with /** @jest-environment node */",
    )
  })

  test.each([
    ['a test', { currentTestName: 'a client asks' }, 'What the sandbox saw in "a client asks" (workspace '],
    [
      'one beside others',
      { currentTestName: 'another', currentConcurrentTestName: () => 'a client asks' },
      'What the sandbox saw in "a client asks" (workspace ',
    ],
    ['Jest without globals', undefined, 'What the sandbox saw (workspace '],
  ])('%s that fails -> its own error, with the calls', async (_, state, head) => {
    if (state) inTest(state)
    const run = withWorkspace(async ({ workspace }) => {
      await workspace.fetch('/v2/custmers')
      throw new RangeError('mine')
    })
    const error = await run().catch((thrown: unknown) => thrown)
    expect(error).toEqual(new RangeError('mine'))
    const [, calls = ''] = String((error as Error).stack).split('\n\n')
    expect(calls.startsWith(head)).toBe(true)
    expect(calls).toMatch(/GET \/v2\/custmers {2}404 {2}No endpoint is/)
    const [trace = ''] = await readdir(traces)
    expect(trace).toBe(`${state ? 'a-client-asks' : 'test'}-trace.html`)
    expect(calls.endsWith(`\nTrace: ${traces}/${trace}`)).toBe(true)
  })
})
