// The baseline of all processes: the first one stores what it begins with; a later one must begin with the same.
import { z } from 'zod'
import { stringify } from '../../json/stringify.ts'
import { StoreError } from '../../workspaces/storage.ts'
import type { BaselineId } from '../../workspaces/storage.ts'
import { defineScript } from './define-script.ts'
import { isForeign, type EngineCalls } from './engine-calls.ts'

/** Format version of keys, values and scripts: increase it with each change that older processes cannot read. */
const format = '3'

/** Reply: the fields that were there. */
const storeBaseline = defineScript(['baseline'], {
  name: 'store-baseline',
  about: 'stores the baseline unless there is one, so that of two first processes one decides',
  args: ['format', 'digest', 'inputs', 'began_at'],
  text: `
local found = redis.call('HGETALL', baseline)
if #found == 0 then
  redis.call('HSET', baseline, 'format', format, 'digest', digest, 'inputs', inputs, 'began_at', began_at)
end
return found`,
})

/** Whose baseline it is, for messages. */
export interface BaselineContext {
  readonly prefix: string
  /** The address without its password. */
  readonly shown: string
  /** In ms since 1970. */
  now(): number
}

/** @throws {StoreError} with exit code 3 if the store has another baseline. @throws {StorageUnavailableError} */
export async function joinBaseline(
  calls: EngineCalls,
  { prefix, shown, now }: BaselineContext,
  { digest, inputs }: BaselineId,
): Promise<void> {
  const args = [format, digest, inputs, new Date(now()).toISOString()]
  const reply = await calls.run(storeBaseline, [`{${prefix}}:baseline`], args).catch((error: unknown) => {
    throw error instanceof Error && isForeign(error)
      ? new StoreError(`--store ${shown}: ${error.message}`, 3)
      : error
  })
  const found = fieldsOf(reply)
  if (found.size === 0) return
  const refuse = (problem: string, next: string): StoreError =>
    new StoreError(`--store ${shown}: under the prefix '${prefix}' ${problem}: ${next}`, 3)
  const another = 'start this one with another --store-prefix'
  // Sandboxes before format 3 stored it in a digest.
  const theirs = found.get('format') ?? /^\d+/.exec(found.get('digest:format') ?? '')?.[0]
  if (theirs === undefined) throw refuse('are values that no sandbox wrote', another)
  const began = found.get('began_at') ?? 'an unknown time'
  if (theirs !== format) {
    throw refuse(
      `a sandbox of another version began at ${began}: its values have format ${theirs}, and this version reads format ${format}`,
      `to take the state over, run 'partner-rewards-sandbox state dump -o state.json' against the other version, and start this one with --fixtures state.json and another --store-prefix; else ${another}`,
    )
  }
  if (found.get('digest') === digest) return
  const names = differingInputs(found.get('inputs') ?? '', inputs)
  throw refuse(
    `a sandbox began at ${began} with ${names.length > 0 ? `another ${names.join(', ')}` : 'other inputs'}`,
    `start all replicas alike, or ${another}`,
  )
}

const inputsForm = z.record(z.string(), z.unknown())

function differingInputs(theirs: string, ours: string): string[] {
  const [their = {}, our = {}] = [theirs, ours].map(inputsOf)
  const names = new Set([...Object.keys(our), ...Object.keys(their)])
  const different = [...names].filter(
    (name) => stringify(their[name] ?? null) !== stringify(our[name] ?? null),
  )
  // With isolation in both, their secrets differ, from which the keys of partners derive.
  const isSecret = their['isolation'] !== undefined && our['isolation'] !== undefined
  return different.map((name) => (name === 'isolation' && isSecret ? '--isolation-secret' : name))
}

function inputsOf(text: string): Record<string, unknown> | undefined {
  try {
    return inputsForm.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

function fieldsOf(reply: unknown): Map<string, string> {
  const texts = Array.isArray(reply) ? reply.map(String) : []
  return new Map(texts.flatMap((text, index) => (index % 2 === 0 ? [[text, texts[index + 1] ?? '']] : [])))
}
