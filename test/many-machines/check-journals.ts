/** Request numbers and journals at the end of a run: what acknowledged calls say of themselves, held against them. */
import type { Fleet } from './fleet.ts'
import type { History, Operation } from './history.ts'
import type { Random } from './random.ts'
import type { SandboxRequest } from './requests.ts'
import { pause, type Recording } from './run-work.ts'

type Call = Operation<SandboxRequest>

/** The number of calls in a journal with a store, by default. */
const journalSize = 200
/** Of so many workspaces the journals are read, at each replica. */
const maxRead = 30

/** The interval in which numbers and journals may have restarted. */
function beginnings({ operations, cuts }: History<SandboxRequest>): { from: number; to: number }[] {
  const resets = operations.filter(({ request }) => request.path.startsWith('/_sandbox/reset'))
  return [...cuts, ...resets.map(({ started, ended }) => ({ from: started, to: ended }))]
}

/** Numbers that two calls share although nothing restarted between them. */
export function numbersGivenTwice(recording: Recording): string[] {
  return recording.workspaces.flatMap((workspace) => {
    const history = recording.history(workspace)
    const again = beginnings(history)
    const found: string[] = []
    const had = new Map<string, Call>()
    for (const call of history.operations.toSorted((a, b) => a.started - b.started)) {
      if (call.id === undefined) continue
      const other = had.get(call.id)
      had.set(call.id, call)
      if (!other) continue
      const end = Math.max(call.ended, other.ended)
      if (again.some(({ from, to }) => from < end && to > other.started)) continue
      found.push(
        `workspace ${workspace}: ${call.id} was given to calls that began at ${other.started} and ${call.started}`,
      )
    }
    return found
  })
}

/** Entries that are missing from journals, or differ between replicas; checked after all work. */
export async function journalFaults(fleet: Fleet, recording: Recording, random: Random): Promise<string[]> {
  const found: string[] = []
  const names = recording.workspaces
  for (let read = 0; read < maxRead && names.length > 0; read++) {
    const [workspace = ''] = names.splice(random.below(names.length), 1)
    const request = { method: 'GET', path: `/_sandbox/requests?workspace=${workspace}` }
    const texts: string[] = []
    while (texts.length < fleet.replicas) {
      const reply = await fleet.ask(texts.length, workspace, request)
      if (reply && reply !== 'refused') texts.push(reply.body)
      else await pause()
    }
    const [text = ''] = texts
    if (texts.some((other) => other !== text))
      found.push(`workspace ${workspace}: replicas show other journals`)
    const ids = new Set([...text.matchAll(/"id":"(req_[^"]*)"/g)].map(([, id]) => id))
    if (ids.size >= journalSize) continue
    const history = recording.history(workspace)
    const since = Math.max(-1, ...beginnings(history).map(({ to }) => to))
    for (const { id, started } of history.operations) {
      if (id === undefined || started < since || ids.has(id)) continue
      found.push(`workspace ${workspace}: ${id}, which began at ${started}, is not in the journal`)
    }
  }
  return found
}
