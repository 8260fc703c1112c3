/** What goes wrong while clients work: which, when and for how long, by seed. */
import type { RunningEngine } from '../helpers/engine.ts'
import type { Cable } from './cable.ts'
import type { Fleet } from './fleet.ts'
import type { Random } from './random.ts'
import type { Replica } from './replicas.ts'
import { pause, type Recording, type Trouble, type Work } from './run-work.ts'

/** What can be broken. */
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

/** Reads the last version of each log that there is. */
const heads = `
local found = {}
for _, key in ipairs(redis.call('KEYS', ARGV[1])) do
  local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
  found[#found + 1] = key
  found[#found + 1] = last and last[1] or '0-0'
end
return found`

/** Forgets keys, and says what the last version was. */
const forget = `
for _, pattern in ipairs(ARGV) do
  for _, key in ipairs(redis.call('KEYS', pattern)) do redis.call('DEL', key) end
end`

async function headsOf(engine: RunningEngine, prefix: string): Promise<Map<string, number>> {
  const lines = (await engine.cli('EVAL', heads, '0', `{${prefix}:*}:log`)).split('\n')
  const found = new Map<string, number>()
  for (let place = 0; place + 1 < lines.length; place += 2) {
    const [, workspace = ''] = /^\{[^:]+:(.*)\}:log$/.exec(lines[place] ?? '') ?? []
    found.set(workspace, Number.parseInt(lines[place + 1] ?? '', 10))
  }
  return found
}

type Acts = Pick<Trouble, 'begin' | 'end'>
const nothing = async (): Promise<void> => {}

const kinds: Record<string, (stage: Stage, random: Random, work: Work) => Acts> = {
  'a replica is killed'(stage, random) {
    const replica = random.pick(stage.replicas)
    return { begin: () => replica.kill(), end: () => replica.start() }
  },
  'a replica stands still'(stage, random) {
    const replica = random.pick(stage.replicas)
    return { begin: async () => replica.stop(), end: async () => replica.goOn() }
  },
  'the engine stands still': (stage) => ({
    begin: () => stage.engine.kill('SIGSTOP'),
    end: () => stage.engine.kill('SIGCONT'),
  }),
  'the engine is killed': (stage) => ({
    async begin() {
      const from = stage.recording.now()
      await stage.engine.kill('SIGKILL')
      for (const cable of stage.cables) cable.cut()
      const to = stage.recording.now()
      const left = new Map<string, number>()
      stage.recording.breaks.push({ from, to, headOf: (workspace) => left.get(workspace) ?? 0 })
      await stage.engine.restart()
      for (const [workspace, head] of await headsOf(stage.engine, stage.prefix)) left.set(workspace, head)
    },
    async end() {
      for (const cable of stage.cables) cable.mend()
      await follow(stage)
    },
  }),
  'connections are cut': (stage, random) => ({
    async begin() {
      for (const cable of stage.cables) if (random.chance(0.7)) cable.hangUp()
    },
    async end() {
      for (const cable of stage.cables) cable.hangUp()
    },
  }),
  'a network loses its way'(stage, random) {
    const cable = random.pick(stage.cables)
    return { begin: async () => cable.hold(), end: async () => cable.mend() }
  },
  'the engine is slow': (stage, random) => ({
    async begin() {
      for (const cable of stage.cables) cable.slow(1 + random.below(8))
    },
    async end() {
      for (const cable of stage.cables) cable.mend()
    },
  }),
  'memory is full': (stage) => ({
    begin: async () => void (await stage.engine.cli('CONFIG', 'SET', 'maxmemory', '1')),
    end: async () => void (await stage.engine.cli('CONFIG', 'SET', 'maxmemory', '0')),
  }),
  'keys are deleted'(stage, random, { workspaces }) {
    const gone = new Set(
      Array.from({ length: 10 }, () => `ws-${Math.floor(workspaces * random.next() ** 2)}`),
    )
    const what = random.pick(['log', '*'])
    return {
      async begin() {
        const from = stage.recording.now()
        const patterns = [...gone].map((workspace) => `{${stage.prefix}:${workspace}}:${what}`)
        await stage.engine.cli('EVAL', forget, '0', ...patterns)
        const to = stage.recording.now()
        stage.recording.breaks.push({
          from,
          to,
          headOf: (workspace) => (gone.has(workspace) ? 0 : undefined),
        })
      },
      end: nothing,
    }
  },
  'workspaces are deleted'(stage, random, { workspaces }) {
    const names = Array.from({ length: 10 }, () => `ws-${Math.floor(workspaces * random.next() ** 2)}`)
    return {
      async begin() {
        const { fleet, recording } = stage
        for (const name of new Set(names)) {
          const request = { method: 'DELETE', path: `/_sandbox/workspaces/${name}` }
          const from = recording.now()
          for (;;) {
            const reply = await fleet.ask(random.below(fleet.replicas), name, request)
            if (!reply || reply === 'refused') {
              await pause()
              continue
            }
            // What is not there has no log that could end; after an unknown outcome it may have had one.
            const to = recording.now()
            recording.breaks.push({ from, to, headOf: (workspace) => (workspace === name ? 0 : undefined) })
            break
          }
        }
      },
      end: nothing,
    }
  },
  'everything is deleted': (stage) => ({
    async begin() {
      const from = stage.recording.now()
      await stage.engine.cli('FLUSHALL')
      stage.recording.breaks.push({ from, to: stage.recording.now(), headOf: () => 0 })
    },
    end: nothing,
  }),
  'an engine is promoted that lacks writes': (stage) => ({
    begin: async () => void (await stage.follower.cli('REPLICAOF', 'NO', 'ONE')),
    async end() {
      const from = stage.recording.now()
      for (const cable of stage.cables) cable.cut()
      const left = await headsOf(stage.follower, stage.prefix)
      const to = stage.recording.now()
      stage.recording.breaks.push({ from, to, headOf: (workspace) => left.get(workspace) ?? 0 })
      const { engine, follower } = stage
      stage.engine = follower
      stage.follower = engine
      for (const cable of stage.cables) {
        cable.plugInto(follower.port)
        cable.mend()
      }
      await follow(stage)
    },
  }),
}

/** The follower follows, and has all that the engine has. */
async function follow({ engine, follower }: Stage): Promise<void> {
  await follower.cli('REPLICAOF', '127.0.0.1', String(engine.port))
  // The first is answered once all was sent to it, and the second says that it was taken in.
  do await engine.cli('WAIT', '1', '0')
  while (!(await follower.cli('INFO', 'replication')).includes('master_link_status:up'))
}

/** Every kind of trouble. */
export const troubleNames = Object.keys(kinds)

/** @param names of those to come, in order; otherwise the seed picks four. */
export async function chooseTroubles(
  stage: Stage,
  work: Work,
  random: Random,
  names: readonly string[] = Array.from({ length: 4 }, () => random.pick(troubleNames)),
): Promise<Trouble[]> {
  await follow(stage)
  const share = Math.floor(work.calls / (names.length + 1))
  return names.map((name, place) => {
    const at = share * (place + 1) - random.below(Math.floor(share / 2))
    const acts = kinds[name]?.(stage, random, work)
    if (!acts) throw new Error(`no trouble is called '${name}'`)
    return { name, at, lasts: random.below(Math.floor(share / 2)), ...acts }
  })
}
