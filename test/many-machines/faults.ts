/** Faults that are planted between a replica and its engine: each takes away one thing that the store relies on. */
import { syncBatch } from '../../src/storage/redis/workspace-scripts.ts'
import type { Engine, Reply, Script } from '../../src/storage/redis/store-engine.ts'
import { EngineUnavailableError } from '../../src/storage/redis/store-error.ts'

export type Fault =
  | 'no catch-up'
  | 'nonce not compared'
  | 'retry without looking'
  | 'counters left out of the log'
  | 'trimmed log without reload'

/** In place of what stands in the script, each as often as it stands there. */
const patches: Record<Fault, readonly (readonly [of: string, by: string])[]> = {
  'no catch-up': [['if from < head then', "if from < head and how ~= 'tail' then"]],
  'nonce not compared': [
    ['if head == version and head_nonce == nonce then', 'if head == version then'],
    ['if not (version == head and nonce == head_nonce) then', 'if version ~= head then'],
    ['if not (known and nonce_of(known) == nonce) then', 'if not known then'],
  ],
  'retry without looking': [['elseif again then', 'elseif false then']],
  'counters left out of the log': [
    [
      "redis.call('XADD', log,",
      `commits[2 * i] = string.gsub(commits[2 * i], '"uses":%b[]', '"uses":[]')
      redis.call('XADD', log,`,
    ],
  ],
  // Missing entries of the log count as entries without a change.
  'trimmed log without reload': [
    ['how = (version > 0 and version < first)', 'local gap = version > 0 and version < first\n    how = gap'],
    [
      'if from + 1 < first then',
      `if gap then
      local reply, before = {status, number, 'tail', '', head}, nonce
      for missing = version + 1, first - 1 do
        for _, part in ipairs({missing, 'x' .. missing, before, '{"at":0}'}) do reply[#reply + 1] = part end
        before = 'x' .. missing
      end
      for _, entry in ipairs(redis.call('XRANGE', log, '-', '+')) do
        for _, part in ipairs({version_of(entry), entry[2][2], before, entry[2][6]}) do reply[#reply + 1] = part end
        before = entry[2][2]
      end
      return reply
    end
    if from + 1 < first then`,
    ],
  ],
}

/** @throws when the script has other words by now, so that nothing would be planted. */
function plant(fault: Fault): Script {
  let { text } = syncBatch
  for (const [of, by] of patches[fault]) {
    if (!text.includes(of)) {
      throw new Error(`the script has no '${of}' in place of which '${fault}' could be planted`)
    }
    text = text.replaceAll(of, () => by)
  }
  return { name: syncBatch.name, text }
}

/** A connection whose turns have a fault, if any, and which loses the next commit's answer on request. */
export class FaultyEngine implements Engine {
  readonly #engine: Engine
  readonly #script: Script
  #losesAnswer = false

  constructor(engine: Engine, fault: Fault | undefined) {
    this.#engine = engine
    this.#script = fault === undefined ? syncBatch : plant(fault)
  }

  /** The engine will carry out the next commit, and the replica will not hear of it. */
  loseNextAnswer(): void {
    this.#losesAnswer = true
  }

  async run(...[script, keys, args]: Parameters<Engine['run']>): Promise<Reply> {
    const reply = await this.#engine.run(script === syncBatch ? this.#script : script, keys, args)
    const isCommit = script === syncBatch && Array.isArray(reply) && reply[0] === 'kept'
    if (!isCommit || !this.#losesAnswer) return reply
    this.#losesAnswer = false
    throw new EngineUnavailableError('the answer was lost', true)
  }

  runForBytes(...args: Parameters<Engine['runForBytes']>): Promise<Uint8Array | null> {
    return this.#engine.runForBytes(...args)
  }

  waitUntilAvailable(maxMs: number): Promise<boolean> {
    return this.#engine.waitUntilAvailable(maxMs)
  }

  time(): Promise<number> {
    return this.#engine.time()
  }

  close(): Promise<void> {
    return this.#engine.close()
  }

  get facts(): Engine['facts'] {
    return this.#engine.facts
  }

  get status(): Engine['status'] {
    return this.#engine.status
  }

  get onStatus(): Engine['onStatus'] {
    return this.#engine.onStatus
  }

  set onStatus(onStatus: Engine['onStatus']) {
    this.#engine.onStatus = onStatus
  }
}
