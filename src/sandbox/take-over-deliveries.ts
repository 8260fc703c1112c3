// With a shared store: looks for the events of other processes, so that those of one that has died are delivered, too.
import type { Service } from '../http/service.ts'
import { startEviction } from '../workspaces/eviction.ts'

/** Interval of the looks (ms). */
const lookMs = 2_000

/** How many workspaces one look reads: a store may have thousands. */
const namesPerLook = 50

/**
 * Reads the workspaces of the store in turn: one whose attempts wait schedules them itself.
 * @returns a function that stops this. It resolves once the last look is over.
 */
export function takeOverDeliveries({ workspaces, storage, onBug }: Service): () => Promise<void> {
  if (!storage.isShared || !workspaces.default.outbox) return () => Promise.resolve()
  let waiting: string[] = []
  const look = async (): Promise<void> => {
    // While the store is away, calls are refused, and the outboxes go on when it is back.
    if (!storage.isWell) return
    if (waiting.length === 0) waiting = [...((await storage.readNames()) ?? [])]
    const names = waiting.splice(0, namesPerLook).filter((name) => !storage.isDamaged(name))
    await Promise.allSettled(names.map(async (name) => storage.refresh(name)))
    for (const name of names) workspaces.find(name)?.outbox?.schedule()
  }
  return startEviction(lookMs, look, (error) => {
    if (storage.isWell) onBug(error, 'none')
  })
}
