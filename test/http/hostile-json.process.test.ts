import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callerFor } from '../helpers/sandbox.ts'
import { anyBody, runs, start, withBody } from './hostile-json.ts'

describe('any body of any endpoint', () => {
  test('over a socket -> the same', async () => {
    const { send, sandbox } = await start()
    const { url } = await sandbox.listen()
    const call = callerFor({ fetch: (path, init) => fetch(`${url}${String(path)}`, init) })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...withBody), anyBody, async (endpoint, body) => {
        const inProcess = await send(endpoint, body)
        const wired = await send(endpoint, body, undefined, call)
        // An empty Uint8Array is a body in process and none on the wire.
        if (body.length > 0)
          expect([wired.status, wired.text.length]).toEqual([inProcess.status, inProcess.text.length])
      }),
      runs(60),
    )
  })
})
