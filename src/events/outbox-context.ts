// The interfaces of an outbox to its workspace and to its sandbox.
import type { Clock } from '../runtime/clock.ts'
import type { ScenarioEngine } from '../scenarios/engine.ts'
import type { State } from '../store/state.ts'
import type { Transaction } from '../store/transaction.ts'
import type { AllowedAddresses } from './allowed-addresses.ts'
import type { DeliverySlots } from './delivery-slots.ts'
import type { WebhookDescription } from './description-type.ts'
import type { ReceiverCounts } from './receiver-counts.ts'
import type { ResourceFields } from './resource-of.ts'
import type { Resolve } from './send-to-url.ts'

/** The workspace of an outbox. */
export interface OutboxHost {
  readonly name: string
  readonly state: State
  readonly clock: Clock
  readonly coverage: { readonly receiver: ReceiverCounts }
  readonly scenarios: Pick<ScenarioEngine, 'planEvent'>
  write<T>(change: (tx: Transaction) => T): T
  changeSettings<T>(change: (clock: Clock) => T): T
}

/** The context that all outboxes of a sandbox share. */
export interface OutboxContext {
  readonly description: WebhookDescription
  /** How many events a workspace keeps. */
  readonly limit: number
  readonly slots: DeliverySlots
  /** The fields that an answer adds to a resource. @param eventId makes its links different from others. */
  fieldsFor(host: OutboxHost, eventId: string): Pick<ResourceFields, 'statement'>
  /** The secret of every endpoint without its own, until its first rotation; undefined if it derives. */
  secretFor(host: OutboxHost): string | undefined
  /** Derives the bytes of a secret. */
  secretBytes(host: OutboxHost, of: string, rotation: number): Buffer
  /** Called with each secret that is used, so that no log shows it. */
  noteSecret(host: OutboxHost, secret: string): void
  /** Hides secrets in a text. */
  hide(host: OutboxHost, text: string): string
  /** Hides secrets, and the values of fields with secret names, in the body of an answer. */
  hideBody(host: OutboxHost, body: string): string
  /** The time of the machine (ms), which is signed. */
  machineNow(): number
  /** Whether the workspace still exists, and the sandbox is not closing. */
  exists(host: OutboxHost): boolean
  /** The addresses to which events may be sent. */
  allowed(): AllowedAddresses
  /** Resolves the hosts of URLs. */
  readonly resolve: Resolve
  /** Settles when every write so far is persisted or rolled back; undefined if that is so already. */
  persisted(host: OutboxHost): Promise<void> | undefined
  onBug(error: unknown): void
}
