// The outboxes of all workspaces of a sandbox, if it serves webhook events.
import { AllowedAddresses } from '../events/allowed-addresses.ts'
import { DeliverySlots } from '../events/delivery-slots.ts'
import type { WebhookDescription } from '../events/description-type.ts'
import type { OutboxContext, OutboxHost } from '../events/outbox-context.ts'
import { Outbox } from '../events/outbox.ts'
import { systemResolve, type Resolve } from '../events/send-to-url.ts'
import type { StatementLinks } from '../http/statements/statement-links.ts'
import { systemHost } from '../runtime/host.ts'
import { derived } from '../runtime/random.ts'
import { redactor } from '../secrets/redact.ts'
import { isElsewhere } from '../workspaces/storage.ts'
import { Workspace } from '../workspaces/workspace.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'

/** The parts of a sandbox that outboxes use. */
export interface OutboxParts {
  readonly workspaces: Workspaces
  readonly statementLinks: StatementLinks
  /** Signs the secrets of endpoints, unless the workspace has an owner with keys of its own. */
  readonly root: Buffer
  /** The address of links in events. */
  readonly address: () => string
  /** Aborted when the sandbox closes. */
  readonly closing: AbortSignal
  onBug(error: unknown): void
}

/** Test hooks for the addresses of receivers. */
export interface WebhookTestHooks {
  /** Resolves the hosts of URLs, by default as the machine does. */
  resolve?: Resolve | undefined
}

/** The options of outboxes. */
export interface OutboxOptions extends WebhookTestHooks {
  readonly description: WebhookDescription
  readonly limit: number
  /** The secret of every endpoint without its own; derived by default. */
  readonly webhookSecret: string | undefined
  /** The hosts that events may be sent to, in addition to loopback. */
  readonly webhookAllow: readonly string[]
}

/** Creates the outbox of each workspace. Its parts exist only after the first workspaces: `start` sets them. */
export function outboxesWith({
  description,
  limit,
  webhookSecret,
  webhookAllow,
  resolve = systemResolve,
}: OutboxOptions): {
  outboxOf: (host: OutboxHost) => Outbox
  start: (parts: OutboxParts) => void
} {
  let started: OutboxParts | undefined
  const parts = (): OutboxParts => {
    if (!started) throw new Error('an outbox was used before the service was started')
    return started
  }
  let allowed: AllowedAddresses | undefined
  const context: OutboxContext = {
    description,
    limit,
    slots: new DeliverySlots(),
    fieldsFor: (host, eventId) => ({
      statement(row) {
        const { statementLinks, address } = parts()
        const url = statementLinks.urlFor(row, workspaceOf(host), eventId, address())
        return { as_of: host.clock.timestamp(), pdf_url: url }
      },
    }),
    // It is the operator's: partners must not be able to sign events for each other.
    secretFor: (host) => (workspaceOf(host).keys ? undefined : webhookSecret),
    secretBytes(host, of, rotation) {
      return derived(workspaceOf(host).keys?.webhooks ?? parts().root, of, rotation)
    },
    noteSecret: (host, secret) => workspaceOf(host).journal.secrets.add(secret),
    hide: (host, text) => workspaceOf(host).journal.secrets.hide(text),
    hideBody: (host, body) => String(redactor(workspaceOf(host).journal.secrets).body(body)),
    machineNow: systemHost().now,
    // With partner isolation, loopback belongs to the operator.
    allowed: () => (allowed ??= new AllowedAddresses(webhookAllow, !parts().workspaces.policy.hidesOthers)),
    resolve,
    // Rows are loaded before the start, which then schedules their attempts.
    exists: (host) =>
      started !== undefined &&
      !started.closing.aborted &&
      started.workspaces.isCurrent(host.name) &&
      started.workspaces.find(host.name) === host,
    persisted(host) {
      // Rolled back: the error is that of the writer.
      return workspaceOf(host)
        .saver?.saved()
        ?.catch(() => undefined)
    },
    onBug(error) {
      // While the store is away, or the sandbox closes, attempts wait.
      if (isElsewhere(error) || parts().closing.aborted) return
      parts().onBug(error)
    },
  }
  return {
    outboxOf(host) {
      const outbox = new Outbox(host, context)
      // Known before it is first used, so that no log shows it.
      if (started) void outbox.ownSecret
      return outbox
    },
    start(those) {
      started = those
      for (const { outbox } of those.workspaces.list()) {
        void outbox?.ownSecret
        for (const endpoint of outbox?.endpoints.all ?? []) outbox?.endpoints.secretsOf(endpoint)
        outbox?.schedule()
      }
    },
  }
}

/** Every host is a workspace, which an outbox need not know. */
function workspaceOf(host: OutboxHost): Workspace {
  if (host instanceof Workspace) return host
  throw new TypeError(`${host.name} is no workspace`)
}
