// The adapter of the library behind the shared store: node-redis, whose core is `@redis/client`.
//
// It was chosen among three libraries. All have the MIT licence, no install scripts, TLS, ACL users, clusters and typed
// EVALSHA with bytes. The makers of Redis maintain node-redis (15 releases in a year), and it needs no other package;
// ioredis describes itself as maintained on a best-effort basis and recommends node-redis; its fork iovalkey had 3
// releases in that year. A script costs this process 2.5 µs with 100 concurrent ones, as one iteration of the event
// loop is one write; 10 µs in the other two. It is the largest: 86 kB gzipped, against 33 (iovalkey) and 53 (ioredis).
//
// Its own timeouts and reconnection are not used: a timeout there costs 15 µs per command and only ends the wait of one
// that was not sent yet, and a connection that hangs stays. Instead, a failed connection is discarded.
import { createClient, createCluster, ErrorReply, RESP_TYPES, type RedisClientOptions } from '@redis/client'
import type { Reply } from './store-engine.ts'
import type { StoreAddress } from '../../input/store-address.ts'

/** One word of a command. */
export type Word = string | Buffer

/** One connection, or those to all masters of a cluster; it cannot be used after a failure. */
export interface Client {
  open(): Promise<void>
  /** Sends a command to the master of the key; without a key, to the only or first one. */
  send(words: Word[], key?: string): Promise<Reply>
  /** The same for a reply of bytes. */
  sendForBytes(words: Word[], key: string): Promise<Buffer | null>
  /** Sends a command to each master. */
  sendToAll(words: Word[]): Promise<unknown[]>
  /** Called, perhaps several times, when a connection is lost. */
  onLost: (error: unknown) => void
  /** Closes it immediately; waiting commands are rejected. */
  destroy(): void
}

/** Whether an error is a reply of the engine, not a failure to reach it. */
export function isErrorReply(error: unknown): error is Error {
  return error instanceof ErrorReply
}

type Host = StoreAddress['hosts'][number]

const bytes = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } }

function optionsFor(address: StoreAddress, { host, port }: Host, timeoutMs: number) {
  const { tls, username, password, db } = address
  const common = { host, port, connectTimeout: timeoutMs, reconnectStrategy: false } as const
  return {
    socket: tls ? { ...common, tls: true, ...serverName(host) } : common,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(db !== undefined && { database: db }),
    // These options need commands that Redis 6.2 lacks.
    disableClientInfo: true,
    maintNotifications: 'disabled',
    commandOptions: { timeout: 0 },
  } satisfies RedisClientOptions
}

/** A host that serves many names at one address needs the name (SNI); an IP address is not a name. */
function serverName(host: string): { servername?: string } {
  return /^[\d.]+$|:/.test(host) ? {} : { servername: host }
}

/** A connection to one host. */
export function singleClient(address: StoreAddress, host: Host, timeoutMs: number): Client {
  const redis = createClient(optionsFor(address, host, timeoutMs))
  const client: Client = {
    open: async () => {
      await redis.connect()
    },
    send: (words) => redis.sendCommand<Reply>(words),
    sendForBytes: (words) => redis.sendCommand<Buffer | null>(words, bytes),
    sendToAll: async (words) => [await redis.sendCommand<unknown>(words)],
    onLost: () => undefined,
    destroy: () => redis.destroy(),
  }
  redis.on('error', (error: unknown) => client.onLost(error))
  return client
}

/** Connections to all masters of the cluster that a host belongs to. */
export function clusterClient(address: StoreAddress, host: Host, timeoutMs: number): Client {
  const { socket, commandOptions, ...options } = optionsFor(address, host, timeoutMs)
  const { host: name, port, ...defaults } = socket
  const redis = createCluster({
    rootNodes: [{ socket: { host: name, port } }],
    defaults: { ...options, socket: defaults },
    commandOptions,
  })
  const first = async () => {
    const [master] = redis.masters
    if (master === undefined) throw new Error('the cluster has no masters')
    return redis.nodeClient(master)
  }
  let failed: unknown
  const client: Client = {
    open: async () => {
      // The rejection has no reason; the event before it has.
      await redis.connect().catch((error: unknown) => {
        throw failed ?? error
      })
    },
    send: async (words, key) =>
      key === undefined
        ? (await first()).sendCommand<Reply>(words, commandOptions)
        : redis.sendCommand<Reply>(key, false, words),
    sendForBytes: (words, key) => redis.sendCommand<Buffer | null>(key, false, words, bytes),
    sendToAll: (words) =>
      Promise.all(
        redis.masters.map(async (master) =>
          (await redis.nodeClient(master)).sendCommand<unknown>(words, commandOptions),
        ),
      ),
    onLost: (error) => {
      failed = error
    },
    destroy: () => redis.destroy(),
  }
  const lost = (error: unknown): void => client.onLost(error)
  redis.on('error', lost)
  redis.on('node-error', lost)
  return client
}
