// Connects to Redis or Valkey, keeps the connection, and reports when the engine is away.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { printable } from '../../input/problems.ts'
import { later, onceAborted, wait } from '../../runtime/wait.ts'
import { failureOf, isForeignKey, refusalOf } from './engine-refusals.ts'
import { clusterClient, isErrorReply, singleClient, type Client, type Word } from './redis-client.ts'
import type { StoreAddress } from '../../input/store-address.ts'
import type { Engine, EngineFacts, EngineStatus, Reply, Script, ScriptArgument } from './store-engine.ts'
import { StoreError } from '../../workspaces/storage.ts'
import { EngineUnavailableError, ForeignKeyError } from './store-error.ts'

/** How to connect. */
export interface ConnectOptions {
  /** Aborts. */
  signal?: AbortSignal
  /** Timeout of an answer (ms). */
  timeoutMs?: number
  /** Called with each warning about the engine, one line each. */
  onProblem?: (line: string) => void
}

/** Tests whether the engine accepts writes near a key. Writing an empty text at the start of a text changes nothing. */
const probe: Script = { name: 'probe', text: "return redis.pcall('SETRANGE', KEYS[1], 0, '')" }

/** The reply of HELLO, which any user may send. */
const greetingForm = z.object({ server: z.string(), version: z.string(), mode: z.string() })
type Greeting = z.output<typeof greetingForm>

/** Redis 6.0 needs the protocol version; the client speaks version 3. */
const greet = ['HELLO', '3']

const minVersion = [6, 2]
const tooOld = 'is too old: it needs Redis 6.2 or newer, or Valkey'
const defaultTimeoutMs = 2000
const [firstPauseMs, longestPauseMs] = [100, 1000]

/** Thrown if an answer did not arrive in time. */
class NoAnswerError extends Error {}

/**
 * Connects to the engine at an address.
 * @throws {StoreError} if it cannot be used, with the next step.
 */
export async function connect(address: StoreAddress, options: ConnectOptions = {}): Promise<Engine> {
  const engine = new Connection(address, options.timeoutMs ?? defaultTimeoutMs)
  const stop = options.signal && onceAborted(options.signal, () => void engine.close())
  try {
    await engine.start(options.onProblem ?? (() => undefined))
    return engine
  } catch (error) {
    await engine.close()
    options.signal?.throwIfAborted()
    if (error instanceof StoreError) throw error
    throw new StoreError(`the store ${address.shown} ${engine.reasonOf(error)}`, 4)
  } finally {
    stop?.()
  }
}

class Connection implements Engine {
  facts: EngineFacts = { version: '', product: 'unknown', policy: undefined, isCluster: false }
  status: EngineStatus = { status: 'ok' }
  onStatus: ((status: EngineStatus) => void) | undefined

  readonly #address: StoreAddress
  readonly #timeoutMs: number
  readonly #closing = new AbortController()
  /** Undefined while disconnected. */
  #client: Client | undefined
  /** A key whose writes were refused, while they may still be refused. */
  #refusedKey: string | undefined
  #recovering: Promise<void> | undefined
  readonly #waiting = new Set<(isBack: boolean) => void>()
  readonly #hashes = new Map<string, string>()

  constructor(address: StoreAddress, timeoutMs: number) {
    this.#address = address
    this.#timeoutMs = timeoutMs
  }

  /** @throws the reason why the engine cannot be used. */
  async start(onProblem: (line: string) => void): Promise<void> {
    const client = await this.#open()
    const greetings = await this.#answered(client.sendToAll(greet).then(readGreetings))
    this.#refuseOld(greetings)
    const policies = await this.#policies(client, onProblem)
    const [{ version, server, mode } = { version: '', server: '', mode: '' }] = greetings
    this.facts = {
      version,
      product: server === 'redis' || server === 'valkey' ? server : 'unknown',
      policy: policies[0],
      isCluster: mode === 'cluster',
    }
  }

  async run(script: Script, keys: readonly string[], args: readonly ScriptArgument[]): Promise<Reply> {
    return this.#evaluated(script, keys, args, (client, words, key) => client.send(words, key))
  }

  async runForBytes(
    script: Script,
    keys: readonly string[],
    args: readonly ScriptArgument[],
  ): Promise<Uint8Array | null> {
    return this.#evaluated(script, keys, args, (client, words, key) => client.sendForBytes(words, key))
  }

  async time(): Promise<number> {
    const reply = await this.#asked((client) => client.send(['TIME']))
    const [seconds, microseconds] = z.tuple([z.coerce.number(), z.coerce.number()]).parse(reply)
    return seconds * 1000 + Math.floor(microseconds / 1000)
  }

  waitUntilAvailable(maxMs: number): Promise<boolean> {
    if (this.#closing.signal.aborted) return Promise.resolve(false)
    if (this.status.status === 'ok') return Promise.resolve(true)
    return new Promise((resolve) => {
      const done = (isBack: boolean): void => {
        stop()
        this.#waiting.delete(done)
        resolve(isBack)
      }
      const stop = later(maxMs, () => done(false))
      this.#waiting.add(done)
    })
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#setStatus({ status: 'away', reason: 'the connection to the store was closed' })
    this.#client?.destroy()
    this.#client = undefined
    for (const done of this.#waiting) done(false)
    await this.#recovering
  }

  /** A sentence without its subject. */
  reasonOf(error: unknown): string {
    if (error instanceof NoAnswerError)
      return `does not answer within ${this.#timeoutMs} ms: check the address, ${this.#address.tls ? 'that it runs, and that it speaks TLS there (redis:// is without)' : 'and that it runs'}`
    const refused = refusalOf(error, this.#refusedKey)
    if (refused !== undefined) return refused
    if (!isErrorReply(error)) return failureOf(error)
    return isUnknownHello(error) ? tooOld : `replies '${printable(error.message)}'`
  }

  /** Sent by its hash, or in full if the engine does not know it: after a restart, a failover, SCRIPT FLUSH. */
  async #evaluated<Result>(
    script: Script,
    keys: readonly string[],
    args: readonly ScriptArgument[],
    send: (client: Client, words: Word[], key: string) => Promise<Result>,
  ): Promise<Result> {
    const [key = ''] = keys
    const rest = [String(keys.length), ...keys, ...args.map(wordOf)]
    const evaluate = (...words: Word[]) =>
      this.#asked((client) => send(client, [...words, ...rest], key), key)
    try {
      return await evaluate('EVALSHA', this.#hashOf(script))
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
      return evaluate('EVAL', script.text)
    }
  }

  #hashOf({ text }: Script): string {
    const known = this.#hashes.get(text)
    if (known !== undefined) return known
    const hash = createHash('sha1').update(text).digest('hex')
    this.#hashes.set(text, hash)
    return hash
  }

  /** Sends one command. A failure is one of ours, or an unexpected error. */
  async #asked<Result>(send: (client: Client) => Promise<Result>, key?: string): Promise<Result> {
    const client = this.#client
    if (client === undefined || this.status.status === 'away') {
      const { reason } = this.status.status === 'away' ? this.status : { reason: 'the store is away' }
      throw new EngineUnavailableError(reason, false)
    }
    try {
      return await this.#answered(send(client))
    } catch (error) {
      const refused = refusalOf(error, key)
      if (refused !== undefined) {
        this.#refusedKey ??= key
        throw this.#away(`the store ${refused}`, false)
      }
      if (isErrorReply(error)) throw isForeignKey(error) ? new ForeignKeyError() : error
      throw this.#lost(client, error)
    }
  }

  /** @throws {NoAnswerError} after the timeout. */
  #answered<Result>(answer: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      // If this process was suspended itself, the answer has arrived and is not read yet: read it before deciding.
      const tooLate = (): void => void setImmediate(() => reject(new NoAnswerError()))
      const timer = setTimeout(tooLate, this.#timeoutMs)
      answer.finally(() => clearTimeout(timer)).then(resolve, reject)
    })
  }

  /**
   * A connection that failed or did not answer is discarded: commands that were sent over it may have been executed.
   */
  #lost(client: Client, error: unknown): EngineUnavailableError {
    if (client === this.#client) {
      this.#client = undefined
      client.destroy()
      return this.#away(`the store ${this.reasonOf(error)}`, true)
    }
    const reason = this.status.status === 'away' ? this.status.reason : `the store ${this.reasonOf(error)}`
    return new EngineUnavailableError(reason, true)
  }

  #away(reason: string, mayHaveRun: boolean): EngineUnavailableError {
    if (!this.#closing.signal.aborted) {
      this.#setStatus({ status: 'away', reason })
      this.#recovering ??= this.#recover().finally(() => (this.#recovering = undefined))
    }
    return new EngineUnavailableError(reason, mayHaveRun)
  }

  /** Retries until the engine answers again and accepts the writes that it refused. */
  async #recover(): Promise<void> {
    const { signal } = this.#closing
    // After a lost connection, retry immediately; after a refusal, wait first.
    if (this.#client) await wait(firstPauseMs, signal)
    for (let pause = firstPauseMs; !signal.aborted; pause = Math.min(2 * pause, longestPauseMs)) {
      let client = this.#client
      try {
        client ??= await this.#open()
        await this.#answered(client.sendToAll(['PING']))
        if (this.#refusedKey !== undefined)
          await this.#answered(client.send(['EVAL', probe.text, '1', this.#refusedKey], this.#refusedKey))
        return this.#back()
      } catch (error) {
        if (isErrorReply(error) && refusalOf(error) === undefined) return this.#back()
        if (!isErrorReply(error) && client === this.#client) {
          client?.destroy()
          this.#client = undefined
        }
        if (!signal.aborted) this.#setStatus({ status: 'away', reason: `the store ${this.reasonOf(error)}` })
      }
      await wait(pause, signal)
    }
  }

  #back(): void {
    if (this.#closing.signal.aborted) return
    this.#refusedKey = undefined
    this.#setStatus({ status: 'ok' })
    for (const done of this.#waiting) done(true)
  }

  #setStatus(status: EngineStatus): void {
    const before = this.status
    if (
      before.status === 'ok'
        ? status.status === 'ok'
        : status.status === 'away' && before.reason === status.reason
    )
      return
    this.status = status
    this.onStatus?.(status)
  }

  /** Connects to the first host that answers, or to the whole cluster that it belongs to. */
  async #open(): Promise<Client> {
    const { hosts } = this.#address
    let failure: unknown
    for (const host of hosts) {
      if (this.#closing.signal.aborted) break
      try {
        const single = await this.#opened(singleClient(this.#address, host, this.#timeoutMs))
        const [greeting] = await this.#answered(single.sendToAll(greet).then(readGreetings)).catch(
          (error: unknown) => {
            single.destroy()
            throw error
          },
        )
        let client = single
        if (greeting?.mode === 'cluster') {
          single.destroy()
          client = await this.#opened(clusterClient(this.#address, host, this.#timeoutMs))
        } else if (hosts.length > 1) {
          single.destroy()
          throw new StoreError(
            `the store ${this.#address.shown} is no cluster, which several hosts are: name one host`,
            4,
          )
        }
        if (this.#closing.signal.aborted) client.destroy()
        client.onLost = (error) => void this.#lost(client, error)
        this.#client = client
        return client
      } catch (error) {
        failure ??= error
      }
    }
    throw failure
  }

  async #opened(client: Client): Promise<Client> {
    const opening = client.open()
    try {
      await this.#answered(opening)
    } catch (error) {
      client.destroy()
      // It may already have been sent.
      opening.then(client.destroy, () => undefined)
      throw error
    }
    return client
  }

  #refuseOld(greetings: readonly Greeting[]): void {
    for (const { version, server } of greetings) {
      const [major = 0, minor = 0] = version.split('.').map(Number)
      const [minMajor = 0, minMinor = 0] = minVersion
      if (major > minMajor || (major === minMajor && minor >= minMinor)) continue
      throw new StoreError(`the store ${this.#address.shown}, ${server} ${version}, ${tooOld}`, 4)
    }
  }

  /** The behaviour of each master if its memory is full. */
  async #policies(client: Client, onProblem: (line: string) => void): Promise<(string | undefined)[]> {
    const { shown } = this.#address
    const reported = await this.#answered(client.sendToAll(['INFO', 'memory'])).catch((error: unknown) => {
      if (!isErrorReply(error)) throw error
      return [undefined]
    })
    const policies = reported.map((info) => /^maxmemory_policy:(\S+)/m.exec(String(info))?.[1])
    const bad = policies.find((policy) => policy !== undefined && policy !== 'noeviction')
    if (bad !== undefined)
      throw new StoreError(
        `the store ${shown} has maxmemory-policy ${bad}, so it may drop rows: set it with CONFIG SET maxmemory-policy noeviction, and in its configuration`,
        3,
      )
    if (policies.includes(undefined))
      onProblem(
        `the store ${shown} does not report its maxmemory-policy: make sure that it is noeviction, as other policies drop rows when memory is full`,
      )
    return policies
  }
}

function isUnknownHello({ message }: Error): boolean {
  return /^(ERR unknown command|NOPROTO)/.test(message)
}

function readGreetings(replies: readonly unknown[]): Greeting[] {
  return replies.map((reply) => greetingForm.parse(reply))
}

function wordOf(argument: ScriptArgument): Word {
  if (typeof argument === 'string') return argument
  if (typeof argument === 'number') return String(argument)
  return Buffer.from(argument.buffer, argument.byteOffset, argument.byteLength)
}
