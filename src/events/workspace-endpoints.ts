// The endpoints of a workspace, and their secrets: rows with an address, and handlers in this process.
import { secretProblem, type Endpoint, type WebhookHandler } from './endpoints.ts'
import type { OutboxContext, OutboxHost } from './outbox-context.ts'
import { secretOf } from './signature.ts'

/** How long the previous secret of an endpoint signs too, in ms on the clock of the sandbox. */
const overlap = 24 * 60 * 60 * 1000

/** Valid secrets of an endpoint. */
export type Secrets = [newest: string, ...older: string[]]

/** The endpoints of a workspace. */
export class WorkspaceEndpoints {
  readonly #host: OutboxHost
  readonly #context: OutboxContext
  /** Handlers in process, by id, in the order in which they were added. */
  readonly #handlers = new Map<string, Endpoint>()
  #handlerCount = 0

  constructor(host: OutboxHost, context: OutboxContext) {
    this.#host = host
    this.#context = context
  }

  /** Those with an address, then handlers in the order in which they were added. */
  get all(): Endpoint[] {
    return [...this.#host.state.all('webhook_endpoints'), ...this.#handlers.values()]
  }

  get isEmpty(): boolean {
    return this.#handlers.size === 0 && this.#host.state.size('webhook_endpoints') === 0
  }

  find(id: string | null): Endpoint | undefined {
    return id === null ? undefined : (this.#handlers.get(id) ?? this.#host.state.get('webhook_endpoints', id))
  }

  addHandler(handler: WebhookHandler, options: Pick<Endpoint, 'events' | 'secret' | 'clock'>): Endpoint {
    // Rows have another prefix, so a reset cannot give one of them the same id.
    const id = `handler_${++this.#handlerCount}`
    const created_at = this.#host.clock.timestamp()
    const added = { id, url: null, enabled: true, created_at, handler, ...options }
    this.#handlers.set(id, added)
    return added
  }

  /** Changes a handler; does nothing for an endpoint that is a row. */
  updateHandler(id: string, changes: Partial<Pick<Endpoint, 'events' | 'enabled' | 'rotation'>>): void {
    const handler = this.#handlers.get(id)
    if (handler) this.#handlers.set(id, { ...handler, ...changes })
  }

  removeHandler(id: string): boolean {
    return this.#handlers.delete(id)
  }

  /** The valid secrets of an endpoint, newest first. */
  secretsOf({
    id,
    rotation,
    secret = this.#sharedSecret(),
  }: Pick<Endpoint, 'id' | 'rotation' | 'secret'>): Secrets {
    const { description, secretBytes, noteSecret } = this.#context
    const form = description.signing.algorithm === 'none' ? 'whsec' : description.signing.key
    const count = rotation?.count ?? 0
    const secretAt = (number: number): string =>
      number === 0 && secret !== undefined ? secret : secretOf(secretBytes(this.#host, id, number), form)
    const isOldValid = rotation !== undefined && this.#host.clock.now() < Date.parse(rotation.at) + overlap
    const secrets: Secrets = [secretAt(count), ...(isOldValid ? [secretAt(count - 1)] : [])]
    for (const one of secrets) noteSecret(this.#host, one)
    return secrets
  }

  /** The secret of endpoints without their own; undefined if that of an outer run has not the form of the description. */
  #sharedSecret(): string | undefined {
    const secret = this.#context.secretFor(this.#host)
    return secretProblem({ secret }, this.#context.description) === undefined ? secret : undefined
  }
}
