// Reads the files of a verb, all before any is used, and distinguishes scenarios from state documents.
import { resolve } from 'node:path'
import { isJsonObject } from '../contract/formats.ts'
import { shownPath } from '../runtime/host.ts'
import { collect } from '../input/collect-problems.ts'
import { ProblemList } from '../input/problem-list.ts'
import { readSource, type Source } from '../input/source-file.ts'
import type { Io } from './io.ts'

/** A scenario has rules, and no state document does. */
export function isScenario({ value }: Source): boolean {
  return isJsonObject(value) && Object.hasOwn(value, 'rules')
}

/** @param most maximum size of each in bytes. @throws {DocumentError} with the problems of all. */
export async function readFiles(
  files: readonly string[],
  io: Pick<Io, 'cwd'>,
  most?: number,
): Promise<Source[]> {
  const sources: Source[] = []
  const problems = new ProblemList()
  for (const file of files) {
    const path = resolve(io.cwd, file)
    const source = await collect(problems, () => readSource(path, shownPath(path, io.cwd), most))
    if (source) sources.push(source)
  }
  problems.throwIfAny()
  return sources
}
