import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import { packageRoot } from '../../src/runtime/host.ts'
import type { StateDocumentInput } from '../../src/fixtures/state-document.ts'
import type { Baseline } from '../../src/fixtures/load.ts'
import { loadBaseline, type BaselineOptions } from '../../src/generate/baseline.ts'
import { DocumentError } from '../../src/input/problems.ts'
import { sourceFromText } from '../../src/input/source-file.ts'

/** Everything `loadBaseline` needs beside the fixtures. */
export const options: Omit<BaselineOptions, 'fixtures'> = {
  defaultFixture: join(packageRoot(), 'fixtures', 'default.json'),
  seed: 1,
  assumptions: resolveAssumptions(),
  allowAnyPan: false,
  displayPath: (path) => basename(path),
}

/** Loads documents and paths; one document may be given as it is. */
export async function load(
  fixtures: StateDocumentInput | readonly (string | StateDocumentInput)[],
  more: Partial<BaselineOptions> = {},
): Promise<Baseline> {
  return loadBaseline({ ...options, ...more, fixtures: isList(fixtures) ? fixtures : [fixtures] })
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value)
}

/** A folder with files, removed after the test; the path of the first one is given back. */
export function writeFiles(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'seed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const paths = Object.entries(files).map(([name, content]) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  })
  return paths[0] ?? folder
}

/** A folder with files, removed after the test. */
export function writeFolder(files: Readonly<Record<string, string | Uint8Array>>): string {
  return dirname(writeFiles(files))
}

/** Returns the problems of the document of a promise as text; fails if there is none. */
export async function messageOf(promise: Promise<unknown>): Promise<string> {
  return (await errorOf(promise)).message
}

/** The error that a promise's document gives; fails when it gives none. */
export async function errorOf(promise: Promise<unknown>): Promise<DocumentError> {
  const outcome: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (outcome instanceof DocumentError) return outcome
  throw new Error('expected a DocumentError', { cause: outcome })
}

/** Returns the problems of a text as text. */
export async function faultsOf(text: string, extension: string): Promise<string> {
  return messageOf(sourceFromText(text, `x${extension}`, extension))
}
