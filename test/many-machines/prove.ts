/** One run of the proof: three replicas on one engine, clients, troubles, and what the checker says of it. */
import { connect } from '../../src/storage/redis/connect.ts'
import type { StoreTestHooks } from '../../src/storage/redis/open-store.ts'
import { startEngine } from '../helpers/engine.ts'
import { Cable } from './cable.ts'
import { checkRecording, type FailedHistory, type Summary } from './check-recording.ts'
import { Random } from './random.ts'
import { journalFaults, numbersGivenTwice } from './check-journals.ts'
import { LocalReplica, ProcessReplica, ReplicaFleet } from './replicas.ts'
import { Recording, runWork, type Work } from './run-work.ts'
import type { Reference } from './sandbox-model.ts'
import { closeStage, type Stage } from './stage.ts'
import { chooseTroubles } from './troubles.ts'

/** How long replicas of this process wait for the engine: what stands still is to be noticed soon. */
const timeoutMs = 300

export interface Proof {
  readonly seed: number
  /** Replicas are processes of their own, as users start them. */
  readonly processes?: boolean
}

export interface Proved extends Summary {
  readonly seed: number
  readonly processes: boolean
  readonly troubles: readonly string[]
  /** Errors that replicas in this process could not explain. */
  readonly bugs: readonly string[]
  /** Errors in request numbers and journals. */
  readonly faults: readonly string[]
}

export async function prove(reference: Reference, proof: Proof): Promise<Proved> {
  const { seed, processes = false } = proof
  const random = new Random(seed)
  const keeps = random.chance(0.5)
  const args = [
    '--repl-diskless-sync-delay',
    '0',
    ...(keeps ? ['--appendonly', 'yes', '--appendfsync', 'always'] : []),
  ]
  const work: Work = { seed, clients: 32, workspaces: 200, calls: 700 }
  const engine = await startEngine({ args })
  const follower = await startEngine({ args })
  const cables = await Promise.all([1, 2, 3].map(() => Cable.to(engine.port)))
  const bugs: string[] = []
  const testHooks: StoreTestHooks = {
    connect: (address, options) => connect(address, { ...options, timeoutMs }),
    // Logs are trimmed while clients work, and replicas fall behind them.
    snapshotEvery: { entries: 12, bytes: 20_000, kept: 5 },
  }
  const prefix = `proof-${seed}`
  const replicas = cables.map((cable) =>
    processes ? new ProcessReplica(cable, prefix) : new LocalReplica(cable, prefix, bugs, testHooks),
  )
  const recording = new Recording()
  const fleet = new ReplicaFleet(replicas)
  const stage: Stage = { prefix, recording, cables, engine, follower, replicas, fleet }
  try {
    for (const replica of replicas) await replica.start()
    const troubles = await chooseTroubles(stage, work, random)
    await runWork(fleet, work, recording, troubles)
    const faults = [...numbersGivenTwice(recording), ...(await journalFaults(fleet, recording, random))]
    const summary = await checkRecording(reference, recording)
    return { seed, processes, bugs, faults, troubles: troubles.map(({ name }) => name), ...summary }
  } finally {
    await closeStage(stage)
    await Promise.all([stage.engine.stop(), stage.follower.stop()])
  }
}

/** A line that says what a run was and found. */
export function lineOf(proved: Proved): string {
  const { seed, calls, acknowledged, unknown, carriedOut, histories, lost, undecided, violations } = proved
  const counts = [
    `${calls} calls`,
    `${acknowledged} acknowledged`,
    `${unknown} unknown (${carriedOut} carried out)`,
    `${histories} histories`,
    `${violations.length + proved.faults.length} violations`,
    `${undecided.length} undecided`,
    `${lost} lost by the engine`,
  ]
  return `seed ${seed}${proved.processes ? ' (processes)' : ''}: ${counts.join(', ')}; ${proved.troubles.join(', ')}`
}

/** All that is needed to look into a violation. */
export function reportOf(proved: Proved): string {
  const { seed, violations, bugs, faults } = proved
  return [
    ...new Set(bugs),
    ...faults.map((fault) => `seed ${seed}, ${fault}`),
    ...showing(seed, violations),
  ].join('\n\n')
}

/** The same for what the checker could not decide. */
export function undecidedOf({ seed, undecided }: Proved): string {
  return showing(seed, undecided).join('\n\n')
}

function showing(seed: number, found: readonly FailedHistory[]): string[] {
  return found.map(({ workspace, violation: { log, version, why, piece }, history }) =>
    [
      `seed ${seed}, workspace ${workspace}, log ${log}, version ${version}: no order explains what clients saw`,
      ...why.map((reason) => `  ${reason}`),
      '  The calls around it:',
      ...piece.map((call) => `    ${call}`),
      `  All of it: ${JSON.stringify(history)}`,
    ].join('\n'),
  )
}
