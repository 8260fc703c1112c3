// The TCP sockets below TLS ones: only they can reset a connection.
import type { Server, Socket } from 'node:net'

const rawSockets = new WeakMap<Socket, Socket>()

/** Notes the sockets of a server that speaks TLS. Node tells of both, and by their addresses which belong together. */
export function noteRawSockets(server: Server): void {
  const handshaking = new Map<string, Socket>()
  server.on('connection', (raw: Socket) => {
    const peer = peerOf(raw)
    handshaking.set(peer, raw)
    raw.once('close', () => handshaking.delete(peer))
  })
  server.on('secureConnection', (secure: Socket) => {
    const raw = handshaking.get(peerOf(secure))
    if (raw) rawSockets.set(secure, raw)
  })
}

/** Returns the socket that can reset the connection. */
export const rawSocketOf = (socket: Socket): Socket => rawSockets.get(socket) ?? socket

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`
