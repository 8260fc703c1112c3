// The baseline of all replicas: the first one stores it with a digest of all its inputs; later ones start from it, or
// are refused if theirs would differ.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { assemble } from '../../fixtures/assemble.ts'
import { documentText, dumpLazily } from '../../fixtures/dump.ts'
import { Gathered } from '../../fixtures/gather.ts'
import { stringify } from '../../json/stringify.ts'
import { documentFiles } from '../../input/document-files.ts'
import { sourceFromText } from '../../input/source-file.ts'
import { endOfTime, type Clock, type ClockStart } from '../../runtime/clock.ts'
import type { Beginning } from '../../workspaces/workspace.ts'
import type { Assumptions } from '../../contract/assumptions.ts'
import { oneCommand, sandboxKeys } from './declare-script.ts'
import { beginSandbox } from './sandbox-scripts.ts'
import type { Engine } from './store-engine.ts'
import { StoreError } from '../../workspaces/storage.ts'

/**
 * Format version of entries, snapshots, calls and scripts: increase it with each change that older replicas cannot
 * read.
 */
const format = '2'

/** Format version of the entries of partners: replicas before it cannot read their isolation. */
const partnerFormat = '2p'

/** The inputs that determine the baseline, under the names that messages use. */
export interface BaselineInputs {
  /** Absolute paths of files and folders, names of built-in ones, and documents. */
  fixtures: readonly (string | object)[]
  generate: unknown
  seed: number | undefined
  environment: string
  /** The active scenarios at the start, and every scenario that is not built in. */
  scenarios: unknown
  clock: { at: string | undefined; frozen: boolean }
  assumptions: Assumptions
  'allow-any-pan': boolean
  /** With partner isolation: the secret from which all keys derive. */
  isolation?: { secret: string | undefined }
}

/** A digest of each input. */
export type Digests = Readonly<Record<string, string>>

export async function digestsOf({ fixtures, ...others }: BaselineInputs): Promise<Digests> {
  const digests: Record<string, string> = {
    format: others.isolation ? partnerFormat : format,
    fixtures: digest(await Promise.all(fixtures.map(fixtureText))),
  }
  for (const [name, value] of Object.entries(others)) digests[name] = digest(value)
  return digests
}

function digest(value: unknown): string {
  return createHash('sha256')
    .update(stringify(value ?? null))
    .digest('hex')
    .slice(0, 16)
}

async function fixtureText(given: string | object): Promise<unknown> {
  if (typeof given !== 'string' || !given.startsWith('/')) return given
  const { files } = await documentFiles(given, given)
  // A file that cannot be read is reported when the fixtures are loaded.
  return Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
}

/** The initial state of a replica. */
export interface SharedBaseline extends Beginning {
  id: string
  seed: number
  /** Stores it again if the engine has lost it. */
  put(): Promise<void>
}

/** How to create a baseline. */
export interface BaselineParts {
  engine: Engine
  prefix: string
  /** The address, without its password. */
  shown: string
  digests: Digests
  assumptions: Assumptions
  /** Creates the baseline, for the first replica. */
  load(): Promise<Beginning & { seed: number }>
  /** A clock of this machine. */
  clock(start: ClockStart): Clock
  now(): number
}

/** @throws {StoreError} with exit code 3 if the baseline differs from that of this replica. */
export async function openBaseline(parts: BaselineParts): Promise<SharedBaseline> {
  const { engine, prefix } = parts
  const keys = sandboxKeys(prefix)
  const there = fieldsOf(await engine.run(beginSandbox, keys, []))
  if (there.size > 0) return readBaseline(parts, there)
  const made = await parts.load()
  // Equal for all replicas with equal options, so that a replica continues after another one has restored a lost store.
  const { digests } = parts
  const id = digest([digests, made.clock.start, made.seed, made.firstProduct])
  const fields = fieldsToPut(parts, made, id)
  const found = fieldsOf(await engine.run(beginSandbox, keys, fields))
  if (found.get('id') !== id) return readBaseline(parts, found)
  return { ...made, id, put: () => rewriteBaseline(parts, made, id) }
}

async function rewriteBaseline(
  parts: BaselineParts,
  made: Beginning & { seed: number },
  id: string,
): Promise<void> {
  await parts.engine.run(beginSandbox, sandboxKeys(parts.prefix), fieldsToPut(parts, made, id))
}

function fieldsToPut(
  { digests, now }: BaselineParts,
  { state, clock, firstProduct, seed }: Beginning & { seed: number },
  id: string,
): (string | Uint8Array)[] {
  const pieces = Array.from(documentText(dumpLazily(state, { seed })), (piece) => Buffer.from(piece))
  const fields = {
    id,
    ...Object.fromEntries(Object.entries(digests).map(([name, value]) => [`digest:${name}`, value])),
    began_at: new Date(now()).toISOString(),
    clock: stringify(clock.start),
    seed: String(seed),
    first_product: firstProduct ?? '',
  }
  return [...Object.entries(fields).flat(), 'rows', gzipSync(Buffer.concat(pieces))]
}

/** The start of a clock in the form of the baseline. */
const clockForm = z.object({
  at: z.int().max(endOfTime).exactOptional(),
  frozen: z.boolean().exactOptional(),
})

async function readBaseline(
  parts: BaselineParts,
  fields: ReadonlyMap<string, string>,
): Promise<SharedBaseline> {
  const { engine, prefix, shown, digests, assumptions, clock: clockOf } = parts
  const id = fields.get('id')
  const refuse = (what: string, next: string): StoreError =>
    new StoreError(`--store ${shown}: under the prefix '${prefix}' ${what}: ${next}`, 3)
  const another = 'start this one with another --store-prefix'
  if (id === undefined) throw refuse('are values that no sandbox wrote', another)
  const named = [...fields.keys()].flatMap((field) => (field.startsWith('digest:') ? [field.slice(7)] : []))
  const others = [...new Set([...Object.keys(digests), ...named])].filter(
    (name) => fields.get(`digest:${name}`) !== digests[name],
  )
  const began = fields.get('began_at') ?? 'an unknown time'
  const [theirs, ours] = [fields.get('digest:format'), digests['format']].map(versionOf)
  if (theirs !== ours) {
    throw refuse(
      `a sandbox of another version began at ${began}: its values have format ${theirs}, and this version reads format ${ours}`,
      `to take the state over, run 'partner-rewards-sandbox state dump -o state.json' against the other version, and start this one with --fixtures state.json and another --store-prefix; else ${another}`,
    )
  }
  if (others.length > 0) {
    // Both are then for partners whose keys would differ.
    const isSecret = fields.has('digest:isolation') && digests['isolation'] !== undefined
    const names = others.map((name) => (name === 'isolation' && isSecret ? '--isolation-secret' : name))
    throw refuse(
      `a sandbox began at ${began} with another ${names.join(', ')}`,
      `start all replicas alike, or ${another}`,
    )
  }
  const rows = await engine.runForBytes(oneCommand, sandboxKeys(prefix).slice(0, 1), ['HGET', 'rows'])
  if (!rows) throw refuse('the rows of the baseline are missing', another)
  const orDamaged = async <T>(field: string, read: () => T | Promise<T>): Promise<T> => {
    try {
      return await read()
    } catch {
      const next = `delete the keys of this prefix, or ${another}`
      throw refuse(`the field '${field}' of the baseline is damaged`, next)
    }
  }
  const seed = await orDamaged('seed', () => z.int().parse(JSON.parse(fields.get('seed') ?? '')))
  const start = await orDamaged('clock', () => clockForm.parse(JSON.parse(fields.get('clock') ?? '')))
  const { state } = await orDamaged('rows', async () => {
    const gathered = new Gathered()
    gathered.add(await sourceFromText(gunzipSync(rows).toString(), shown, '.json'))
    // The replica that stored the rows had validated them.
    return assemble(gathered, { seed, assumptions, allowAnyPan: true, trusted: true })
  })
  const first = fields.get('first_product')
  const made = {
    seed,
    state,
    firstProduct: first === '' ? undefined : first,
    clock: clockOf(start),
  }
  return { ...made, id, put: () => rewriteBaseline(parts, made, id) }
}

/** The number of a format, including that of partners. */
function versionOf(text = ''): string {
  return /^\d+/.exec(text)?.[0] ?? 'unknown'
}

function fieldsOf(reply: unknown): Map<string, string> {
  const fields = new Map<string, string>()
  if (!Array.isArray(reply)) return fields
  for (let at = 0; at < reply.length; at += 2) fields.set(String(reply[at]), String(reply[at + 1]))
  return fields
}
