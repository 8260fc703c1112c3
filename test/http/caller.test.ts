import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { SocketCaller } from '../../src/http/caller.ts'

/** A call on a connection whose responses wait behind an earlier one, so that none of them has the socket yet. */
function pipelinedCall(): { socket: Socket; caller: SocketCaller } {
  const socket = new Socket()
  const incoming = new IncomingMessage(socket)
  return { socket, caller: new SocketCaller(incoming, new ServerResponse(incoming)) }
}

describe('the signal of a client that is gone', () => {
  it('the connection is open -> not aborted', () => {
    expect(pipelinedCall().caller.gone().aborted).toBe(false)
  })

  it('the connection was lost before -> aborted', () => {
    const { socket, caller } = pipelinedCall()
    socket.destroy()
    expect(caller.gone().aborted).toBe(true)
  })

  it('the connection is lost later, while an earlier answer has the socket -> aborted', async () => {
    const { socket, caller } = pipelinedCall()
    const gone = caller.gone()
    const aborted = new Promise((resolve) => gone.addEventListener('abort', resolve))
    socket.destroy()
    await aborted
    expect(gone.aborted).toBe(true)
  })
})
