import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { goneSignal } from '../../src/http/client-gone.ts'

/** A call on a connection whose responses wait behind an earlier one, so that none of them has the socket yet. */
function pipelinedCall(): { socket: Socket; gone: () => AbortSignal } {
  const socket = new Socket()
  const incoming = new IncomingMessage(socket)
  const outgoing = new ServerResponse(incoming)
  return { socket, gone: () => goneSignal(new Request('http://localhost'), { incoming, outgoing }) }
}

describe('the signal of a client that is gone', () => {
  it('the connection is open -> not aborted', () => {
    expect(pipelinedCall().gone().aborted).toBe(false)
  })

  it('the connection was lost before -> aborted', () => {
    const { socket, gone } = pipelinedCall()
    socket.destroy()
    expect(gone().aborted).toBe(true)
  })

  it('the connection is lost later, while an earlier answer has the socket -> aborted', async () => {
    const { socket, gone } = pipelinedCall()
    const signal = gone()
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
    socket.destroy()
    await aborted
    expect(signal.aborted).toBe(true)
  })

  it('a caller in this process -> the signal of its request', () => {
    const giveUp = new AbortController()
    const request = new Request('http://localhost', { signal: giveUp.signal })
    expect(goneSignal(request, {}).aborted).toBe(false)
    giveUp.abort()
    expect(goneSignal(request, {}).aborted).toBe(true)
  })
})
