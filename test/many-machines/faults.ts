/** Faults that are planted between a replica and its engine: each takes away one thing that the store relies on. */
import { syncTurn } from '../../src/shared-store/scripts.ts'
import type { Engine, Script } from '../../src/shared-store/store-engine.ts'
import { EngineAwayError } from '../../src/shared-store/store-error.ts'

export const faultNames = [
  'no catch-up',
  'nonce not compared',
  'retry without looking',
  'counters left out of the log',
  'trimmed log without reload',
] as const
export type Fault = (typeof faultNames)[number]

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
  // What is missing from the log is taken for entries that change nothing.
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
export function plant(fault: Fault): Script {
  let { text } = syncTurn
  for (const [of, by] of patches[fault]) {
    if (!text.includes(of)) {
      throw new Error(`the script has no '${of}' in place of which '${fault}' could be planted`)
    }
    text = text.replaceAll(of, () => by)
  }
  return { name: syncTurn.name, text }
}

/** An engine with a fault. Where it is about repeating, every seventh turn that was kept seems to have had no answer. */
export function faulty(engine: Engine, fault: Fault): Engine {
  const script = plant(fault)
  let kept = 0
  return new Proxy(engine, {
    get(target, member) {
      if (member === 'run') {
        const run: Engine['run'] = async (asked, keys, args) => {
          const reply = await target.run(asked === syncTurn ? script : asked, keys, args)
          const isKept = asked === syncTurn && Array.isArray(reply) && reply[0] === 'kept'
          if (fault === 'retry without looking' && isKept && ++kept % 7 === 0) {
            throw new EngineAwayError('the answer was lost', true)
          }
          return reply
        }
        return run
      }
      const value: unknown = Reflect.get(target, member, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
    set: (target, member, value) => Reflect.set(target, member, value, target),
  })
}
