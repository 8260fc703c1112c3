/** Two replicas on one engine that are called one after the other, as a test says, and a record of their answers. */
import { connect } from '../../src/storage/redis/connect.ts'
import type { StoreTestHooks } from '../../src/storage/redis/open-store.ts'
import { Cable } from './cable.ts'
import { journalFaults, numbersGivenTwice } from './check-journals.ts'
import { checkRecording, type Summary } from './check-recording.ts'
import { FaultyEngine, type Fault } from './faults.ts'
import { Random } from './random.ts'
import { LocalReplica, ReplicaFleet } from './replicas.ts'
import type { SandboxRequest } from './requests.ts'
import { Recording } from './run-work.ts'
import type { Reference } from './sandbox-model.ts'
import { closeStage, failOver, follow, promote, type Stage } from './stage.ts'

export const workspace = 'ws-0'

/** No answer is late on a slow machine. */
const timeoutMs = 15_000

/** The engine that the replicas use, and another one that may follow it. */
export type EnginePair = Pick<Stage, 'engine' | 'follower'>

export class ScriptedRun {
  /** Errors that the replicas could not explain. */
  readonly bugs: string[]
  readonly #stage: Stage
  readonly #engines: readonly FaultyEngine[]

  private constructor(stage: Stage, engines: readonly FaultyEngine[], bugs: string[]) {
    this.#stage = stage
    this.#engines = engines
    this.bugs = bugs
  }

  /** Starts replicas 0 and 1. @param prefix separates this run from others on the same engines. */
  static async start(pair: EnginePair, prefix: string, fault?: Fault): Promise<ScriptedRun> {
    const cables = [await Cable.to(pair.engine.port), await Cable.to(pair.engine.port)]
    const engines: FaultyEngine[] = []
    const bugs: string[] = []
    const testHooks: StoreTestHooks = {
      connect: async (address, options) => {
        const engine = new FaultyEngine(await connect(address, { ...options, timeoutMs }), fault)
        engines.push(engine)
        return engine
      },
      // A few calls trim the log.
      snapshotEvery: { entries: 3, bytes: 20_000, kept: 1 },
    }
    const replicas = cables.map((cable) => new LocalReplica(cable, prefix, bugs, testHooks))
    for (const replica of replicas) await replica.start()
    const fleet = new ReplicaFleet(replicas)
    return new ScriptedRun(
      { ...pair, prefix, cables, replicas, fleet, recording: new Recording() },
      engines,
      bugs,
    )
  }

  /** Calls a replica until its store is back, and records the answer. */
  async call(replica: number, request: SandboxRequest): Promise<void> {
    const { recording, fleet } = this.#stage
    for (;;) {
      const started = recording.now()
      const reply = await fleet.ask(replica, workspace, request)
      if (!reply) throw new Error('a script has no calls of unknown outcome')
      if (reply !== 'refused') {
        return recording.end(workspace, { client: replica, replica, started, request }, reply)
      }
      await this.#engines[replica]?.waitUntilAvailable(timeoutMs)
    }
  }

  /** The engine will carry out the next write of a replica, and its answer will be lost. */
  loseNextAnswer(replica: number): void {
    this.#engines[replica]?.loseNextAnswer()
  }

  /** The other engine has all that was written so far, and takes in no more. */
  async copyToFollower(): Promise<void> {
    await follow(this.#stage)
    await promote(this.#stage)
  }

  /** Connects both replicas to the engine that lacks writes. */
  failOver(): Promise<void> {
    return failOver(this.#stage)
  }

  /** The version of the first entry that a trimmed log has. */
  async firstVersion(): Promise<number> {
    const { engine, prefix } = this.#stage
    const log = `{${prefix}:${workspace}}:log`
    return Number.parseInt(await engine.cli('XRANGE', log, '-', '+', 'COUNT', '1'), 10)
  }

  /** Checks the recorded answers, request numbers and journals, as the proof does. */
  async check(reference: Reference): Promise<Summary & { faults: string[] }> {
    const { fleet, recording } = this.#stage
    const faults = [
      ...numbersGivenTwice(recording),
      ...(await journalFaults(fleet, recording, new Random(1))),
    ]
    return { ...(await checkRecording(reference, recording)), faults }
  }

  close(): Promise<void> {
    return closeStage(this.#stage)
  }
}
