/** Faults while clients work: which, when and for how long, by seed. */
import type { Random } from './random.ts'
import { pause, type Trouble, type Work } from './run-work.ts'
import { failOver, follow, headsOf, promote, type Stage } from './stage.ts'

/** Forgets keys, and says what the last version was. */
const forget = `
for _, pattern in ipairs(ARGV) do
  for _, key in ipairs(redis.call('KEYS', pattern)) do redis.call('DEL', key) end
end`

type Acts = Pick<Trouble, 'begin' | 'end'>
const nothing = async (): Promise<void> => {}

const kinds: Record<string, (stage: Stage, random: Random, work: Work) => Acts> = {
  'a replica is killed'(stage, random) {
    const replica = random.pick(stage.replicas)
    return { begin: () => replica.kill(), end: () => replica.start() }
  },
  'a replica stands still'(stage, random) {
    const replica = random.pick(stage.replicas)
    return { begin: async () => replica.stop(), end: async () => replica.resume() }
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
            // A missing workspace has no log; after an unknown outcome it may have had one.
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
    begin: () => promote(stage),
    async end() {
      await failOver(stage)
      await follow(stage)
    },
  }),
}

/** Four troubles that the seed picks. */
export async function chooseTroubles(stage: Stage, work: Work, random: Random): Promise<Trouble[]> {
  await follow(stage)
  const chosen = Array.from({ length: 4 }, () => random.pick(Object.entries(kinds)))
  const share = Math.floor(work.calls / (chosen.length + 1))
  return chosen.map(([name, kind], index) => {
    const at = share * (index + 1) - random.below(Math.floor(share / 2))
    const acts = kind(stage, random, work)
    return { name, at, lasts: random.below(Math.floor(share / 2)), ...acts }
  })
}
