/** One run of the proof: three processes on one engine, clients, faults, and the result of the checker. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { startBalancer } from '../helpers/balancer.ts'
import { startEngine, type RunningEngine } from '../helpers/engine.ts'
import { blocksOf } from '../helpers/markdown-blocks.ts'
import { Clients } from './clients.ts'
import { findViolation } from './linearize.ts'
import { numberModel, settle } from './number-model.ts'
import { Random } from './random.ts'
import { SandboxProcess } from './sandbox-process.ts'

export interface Proof {
  readonly seed: number
  /** The least number of calls; the faults come again until then. */
  readonly calls: number
  /** HAProxy with the file of docs/many-machines.md, or clients that choose a process at random. */
  readonly route: 'balancer' | 'random'
  readonly faults: readonly Fault[]
}

const faults = {
  crash: { begin: ({ one }) => one.end('SIGKILL'), end: ({ one }) => one.start() },
  stop: { begin: ({ one }) => one.end('SIGTERM'), end: ({ one }) => one.start() },
  suspension: {
    async begin({ one }) {
      one.signal('SIGSTOP')
      // Longer than the lease.
      await wait(12_000)
    },
    end: async ({ one }) => one.signal('SIGCONT'),
  },
  'engine crash': { begin: ({ engine }) => engine.kill('SIGKILL'), end: ({ engine }) => engine.restart() },
} satisfies Record<string, FaultSteps>

export type Fault = keyof typeof faults
export const allFaults: readonly Fault[] = ['crash', 'stop', 'suspension', 'engine crash', 'stop', 'crash']

/** The steps of a fault; between them, each workspace gets an answer again, unless the engine is away. */
interface FaultSteps {
  begin(on: { one: SandboxProcess; engine: RunningEngine }): Promise<unknown>
  end(on: { one: SandboxProcess; engine: RunningEngine }): Promise<unknown>
}

export interface Proved {
  readonly seed: number
  readonly route: Proof['route']
  readonly calls: number
  readonly acknowledged: number
  readonly unknown: number
  readonly histories: number
  /** One line for each contradiction. */
  readonly violations: readonly string[]
  /** By fault: the longest time in which a workspace had no answer (ms). */
  readonly outages: ReadonlyMap<string, number>
}

export async function prove({ seed, calls, route, faults: chosen }: Proof): Promise<Proved> {
  const random = new Random(seed)
  const engine = await startEngine({ args: ['--appendonly', 'yes', '--appendfsync', 'always'] })
  const processes = Array.from({ length: 3 }, () => new SandboxProcess(engine.url))
  const ends: (() => Promise<unknown>)[] = [() => engine.stop()]
  const violations: string[] = []
  const outages = new Map<string, number>()
  try {
    for (const one of processes) {
      ends.unshift(() => one.end('SIGKILL'))
      await one.start()
    }
    let ports = processes.map(({ port }) => port)
    if (route === 'balancer') {
      const { child, port } = await startBalancer(recipe(), ports)
      ends.unshift(async () => {
        const ended = once(child, 'exit')
        if (child.kill('SIGKILL')) await ended
      })
      ports = [port]
    }
    const clients = new Clients(random, ports, 12)
    const working = clients.work(4)
    const answered = async (instant: number): Promise<void> => {
      while (!clients.haveAnsweredSince(instant)) await wait(20)
    }
    await answered(0)
    do {
      for (const fault of chosen) {
        const on = { one: random.pick(processes), engine }
        let began = performance.now()
        const note = (what: string): void => {
          const outage = Math.max(...clients.workspaces.map((one) => one.outageSince(began)))
          outages.set(what, Math.max(outage, outages.get(what) ?? 0))
          began = performance.now()
        }
        const code = await faults[fault].begin(on)
        if (fault === 'stop' && code !== 0) violations.push(`a stopped process ended with ${String(code)}`)
        if (fault === 'engine crash') {
          await faults[fault].end(on)
          await answered(performance.now())
          note(fault)
          continue
        }
        await answered(performance.now())
        note(fault)
        await faults[fault].end(on)
        // Until the balancer has changed its routes.
        await wait(3_000)
        await answered(performance.now())
        note('return')
      }
    } while (clients.calls < calls)
    clients.isOver = true
    await working
    await clients.checkRows()
    violations.push(...clients.faults)
    let histories = 0
    for (const { name, numbers } of clients.workspaces)
      for (const [reward, operations] of numbers) {
        histories += 1
        const found = findViolation(numberModel(beginnings[reward] ?? 0), settle(operations))
        if (found) violations.push(`${name}, ${reward}: no order: ${JSON.stringify(found)}`)
      }
    for (const { log } of processes)
      violations.push(...log.text.split('\n').filter((line) => /\bbug\b/.test(line)))
    const acknowledged = clients.workspaces.reduce((sum, one) => sum + one.acknowledged.length, 0)
    return {
      seed,
      route,
      calls: clients.calls,
      acknowledged,
      unknown: clients.unknown,
      histories,
      violations,
      outages,
    }
  } finally {
    for (const end of ends) await end()
  }
}

/** The amounts of the built-in rows. */
const fixtures = JSON.parse(readFileSync('fixtures/default.json', 'utf8')) as {
  rewards: { id: string; amount: number }[]
}
const beginnings = Object.fromEntries(fixtures.rewards.map(({ id, amount }) => [id, amount]))

function recipe(): string {
  const page = readFileSync('docs/many-machines.md', 'utf8')
  return blocksOf(page).find(({ language }) => language === 'haproxy')?.code ?? ''
}

/** A line that says what a run was and found. */
export function lineOf({ seed, route, outages, violations, ...counts }: Proved): string {
  const shown = [...outages].map(([fault, ms]) => `${fault} ${(ms / 1000).toFixed(1)} s`)
  return (
    `seed ${seed}, ${route}: ${counts.calls} calls, ${counts.acknowledged} acknowledged, ` +
    `${counts.unknown} writes of unknown outcome, ${counts.histories} histories, ${violations.length} violations; ` +
    `longest outage of a workspace: ${shown.join(', ')}`
  )
}
