// The verbs snapshot save, restore, list, delete, diff and dump.
import * as answers from '../../control/answers.ts'
import type { Call } from '../verb.ts'
import { checkName } from './connect.ts'
import { diffText } from './diff-text.ts'
import { calls, downloads, type RemoteWork } from './remote-call.ts'
import { replacedText, rowCount } from './replaced-text.ts'

export function save(call: Call): RemoteWork {
  const [name] = call.args
  return calls(call, {
    answer: answers.snapshot,
    note: ({ rows }, { workspace }) =>
      `Saved snapshot '${name}' of workspace '${workspace}': ${rowCount(rows)}`,
  })
}

export function restore(call: Call): RemoteWork {
  const [name] = call.args
  return calls(call, {
    answer: answers.replaced,
    note: (answer) =>
      `Restored workspace '${answer.workspace}' to snapshot '${name}': ${replacedText(answer)}`,
  })
}

export function list(call: Call): RemoteWork {
  return calls(call, {
    answer: answers.snapshots,
    text: ({ snapshots }) => {
      const width = Math.max(...snapshots.map(({ name }) => name.length))
      return snapshots
        .map(({ name, created_at: at, rows }) => `${name.padEnd(width)}  ${at}  ${rowCount(rows)}\n`)
        .join('')
    },
    note: ({ snapshots }, { workspace }) =>
      snapshots.length > 0 ? undefined : `No snapshots in workspace '${workspace}'.`,
  })
}

export function remove(call: Call): RemoteWork {
  const [name] = call.args
  return calls(call, {
    answer: answers.noContent,
    note: (_, { workspace }) => `Deleted snapshot '${name}' of workspace '${workspace}'`,
  })
}

export function diff(call: Call): RemoteWork {
  const other = call.flags['with']
  if (typeof other === 'string') checkName('snapshot', other)
  return calls(call, {
    query: typeof other === 'string' ? { with: other } : {},
    answer: answers.stateDiff,
    text: diffText,
    note: (found) => (Object.keys(found).length > 0 ? undefined : 'No differences.'),
  })
}

export const dump = (call: Call): RemoteWork => downloads(call, `snapshot '${call.args[0]}'`)
