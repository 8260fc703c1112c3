// The verbs snapshot save, restore, list, delete, diff and dump: keep the state of a running sandbox, and go back to it.
import { z } from 'zod'
import { checkName, connect, connectToRead } from './connect.ts'
import { nothing, rowCount, shownText, standing } from './control-client.ts'
import { diffText, stateDiff } from './diff-text.ts'
import { dump as dumpState } from './state.ts'
import type { Io } from '../io.ts'
import { jsonLines } from '../json.ts'
import type { FlagValues } from '../settings.ts'

const snapshot = z.object({ name: shownText, created_at: shownText, rows: z.number() })
const snapshots = z.object({ snapshots: z.array(snapshot) })

/** The path of a snapshot. @throws {CliError} for a text that cannot name one. */
function pathOf(name: string): string {
  checkName('snapshot', name)
  return `/snapshots/${name}`
}

export async function save(name: string, flags: FlagValues, io: Io): Promise<void> {
  const client = await connect(flags, io)
  const { rows } = await client.ask('PUT', pathOf(name), snapshot)
  io.stderr(`Saved snapshot '${name}' of workspace '${client.workspace}': ${rowCount(rows)}\n`)
}

export async function restore(name: string, flags: FlagValues, io: Io): Promise<void> {
  const client = await connect(flags, io)
  const { workspace, text } = await client.ask('POST', `${pathOf(name)}/restore`, standing)
  io.stderr(`Restored workspace '${workspace}' to snapshot '${name}': ${text}\n`)
}

export async function list(flags: FlagValues, io: Io): Promise<void> {
  const client = await connectToRead(flags, io)
  const listed = await client.ask('GET', '/snapshots', snapshots)
  if (flags['format'] === 'json') {
    io.stdout(jsonLines(listed))
    return
  }
  const width = Math.max(...listed.snapshots.map(({ name }) => name.length))
  for (const { name, created_at, rows } of listed.snapshots) {
    io.stdout(`${name.padEnd(width)}  ${created_at}  ${rowCount(rows)}\n`)
  }
  if (listed.snapshots.length === 0) io.stderr(`No snapshots in workspace '${client.workspace}'.\n`)
}

export async function forget(name: string, flags: FlagValues, io: Io): Promise<void> {
  const client = await connect(flags, io)
  await client.ask('DELETE', pathOf(name), nothing)
  io.stderr(`Deleted snapshot '${name}' of workspace '${client.workspace}'\n`)
}

export async function diff(name: string, flags: FlagValues, io: Io): Promise<void> {
  const other = flags['with']
  if (typeof other === 'string') checkName('snapshot', other)
  const query: Record<string, string> = typeof other === 'string' ? { with: other } : {}
  const found = await (
    await connectToRead(flags, io)
  ).ask('GET', `${pathOf(name)}/diff`, stateDiff, { query })
  if (flags['format'] === 'json') io.stdout(jsonLines(found))
  else if (Object.keys(found).length === 0) io.stderr('No differences.\n')
  else io.stdout(diffText(found))
}

export async function dump(name: string, flags: FlagValues, io: Io): Promise<void> {
  await dumpState(pathOf(name), `snapshot '${name}'`, flags, io)
}
