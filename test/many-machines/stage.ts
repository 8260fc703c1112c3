/** Replicas, their cables and two engines: what can be broken, and the failover from one engine to the other. */
import type { RunningEngine } from '../helpers/engine.ts'
import type { Cable } from './cable.ts'
import type { Fleet } from './fleet.ts'
import type { Replica } from './replicas.ts'
import type { Recording } from './run-work.ts'

export interface Stage {
  readonly prefix: string
  readonly recording: Recording
  /** One for each replica. */
  readonly cables: readonly Cable[]
  /** The engine that replicas reach, and one that follows it. */
  engine: RunningEngine
  follower: RunningEngine
  /** As processes have them; where replicas share this one, their cables are held or cut instead. */
  readonly replicas: readonly Replica[]
  readonly fleet: Fleet
}

/** Closes the replicas and their cables. */
export async function closeStage({ replicas, cables }: Stage): Promise<void> {
  await Promise.all(replicas.map((replica) => replica.close()))
  for (const cable of cables) cable.close()
}

/** Reads the last version of each log that there is. */
const heads = `
local found = {}
for _, key in ipairs(redis.call('KEYS', ARGV[1])) do
  local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
  found[#found + 1] = key
  found[#found + 1] = last and last[1] or '0-0'
end
return found`

/** The last version of each workspace that has a log on an engine. */
export async function headsOf(engine: RunningEngine, prefix: string): Promise<Map<string, number>> {
  const lines = (await engine.cli('EVAL', heads, '0', `{${prefix}:*}:log`)).split('\n')
  const found = new Map<string, number>()
  for (let index = 0; index + 1 < lines.length; index += 2) {
    const [, workspace = ''] = /^\{[^:]+:(.*)\}:log$/.exec(lines[index] ?? '') ?? []
    found.set(workspace, Number.parseInt(lines[index + 1] ?? '', 10))
  }
  return found
}

/** The follower follows, and has all that the engine has. */
export async function follow({ engine, follower }: Stage): Promise<void> {
  await follower.cli('REPLICAOF', '127.0.0.1', String(engine.port))
  // The first is answered once all was sent to it, and the second says that it was taken in.
  do await engine.cli('WAIT', '1', '0')
  while (!(await follower.cli('INFO', 'replication')).includes('master_link_status:up'))
}

/** The follower takes no more writes from the engine. */
export async function promote({ follower }: Stage): Promise<void> {
  await follower.cli('REPLICAOF', 'NO', 'ONE')
}

/** Connects all replicas to the promoted follower. Writes that it lacks are lost. */
export async function failOver(stage: Stage): Promise<void> {
  const { engine, follower, recording, prefix, cables } = stage
  const from = recording.now()
  for (const cable of cables) cable.cut()
  const left = await headsOf(follower, prefix)
  recording.breaks.push({ from, to: recording.now(), headOf: (workspace) => left.get(workspace) ?? 0 })
  stage.engine = follower
  stage.follower = engine
  for (const cable of cables) {
    cable.plugInto(follower.port)
    cable.mend()
  }
}
