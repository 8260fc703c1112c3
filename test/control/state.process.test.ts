import { describe, expect, it } from 'vitest'
import { startSandbox } from '../helpers/sandbox.ts'

describe('GET /_sandbox/state', () => {
  it('over a socket, HEAD and GET', async () => {
    const sandbox = await startSandbox()
    const { url } = await sandbox.listen()
    const answer = await fetch(`${url}/_sandbox/state`)
    expect(await answer.json()).toEqual(sandbox.state.document())
    const head = await fetch(`${url}/_sandbox/state`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })
})
