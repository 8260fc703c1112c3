// Sends a document or scenario to a running sandbox, and reports its problems at the lines of the file.
import type { z } from 'zod'
import { bodyName } from '../../control/read-body.ts'
import { isJsonObject } from '../../contract/formats.ts'
import type { Path } from '../../json/json-text.ts'
import { DocumentError, pathName, refusal, type Problem } from '../../input/problems.ts'
import { pathsAt } from '../../json/json-positions.ts'
import { problemAt, type Source } from '../../input/source-file.ts'
import { RefusedError, type ControlClient, type Request } from './control-client.ts'
import { exitCodes } from '../io.ts'
import { jsonOf } from './input.ts'

/**
 * @param row the name of the document in problems of the sandbox, if it is a row.
 * @throws {DocumentError} if the sandbox refuses it, with the positions in the file.
 */
export async function sendDocument<T>(
  client: ControlClient,
  request: Request,
  answer: z.ZodType<T>,
  source: Source,
  row?: string,
): Promise<{ data: T; text: string }> {
  const body = jsonOf(source)
  try {
    return await client.ask({ ...request, body }, answer, true)
  } catch (error) {
    if (!(error instanceof RefusedError) || error.exitCode !== exitCodes.badFile) throw error
    const { problems, reason, more } = error
    if (problems.length === 0) throw refusal(source.name, reason)
    const located = inFile(problems, source, body)
    throw new DocumentError(row === undefined ? located : inRow(located, source, row), more)
  }
}

/** The end of a message that names another position in the same text. */
const otherLine = / in line (\d+)$/

/** Returns problems with their positions in the file: the same, unless YAML was sent as JSON. */
function inFile(problems: readonly Problem[], source: Source, body: string): Problem[] {
  const isSame = source.json !== undefined
  const places = isSame ? [] : source.locateAll(pathsAt(body, offsetsOf(problems, body)))
  return problems.map((problem, index) => {
    if (problem.source !== bodyName) return problem
    if (isSame || problem.line === undefined) return { ...problem, source: source.name }
    const [own, other] = places.slice(2 * index)
    const { path, message } = problem
    return {
      source: source.name,
      ...own,
      path,
      message: message.replace(otherLine, ` in line ${other?.line}`),
    }
  })
}

/** Returns the position of each problem in a text, and the other position that its message names. */
function offsetsOf(problems: readonly Problem[], text: string): number[] {
  const lines = [...text.matchAll(/^ */gm)]
  return problems.flatMap(({ line = 1, column = 1, message }) => {
    const start = lines[line - 1]?.index ?? 0
    const other = lines[Number(otherLine.exec(message)?.[1] ?? 1) - 1]
    return [start + column - 1, (other?.index ?? 0) + (other?.[0].length ?? 0)]
  })
}

/**
 * Problems of a row have no lines: they are located in the file by their paths; those of missing fields stay with the
 * row.
 */
function inRow(problems: readonly Problem[], source: Source, row: string): Problem[] {
  const paths = new Map([...pathsIn(source.value)].map((path) => [pathName(path), path]))
  return problems.map((problem) => {
    const path = problem.source === row ? paths.get(problem.path) : undefined
    return path === undefined ? problem : problemAt(source, path, problem.message)
  })
}

/** Returns every path in a value. */
function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  yield path
  if (Array.isArray(value)) for (const [at, item] of value.entries()) yield* pathsIn(item, [...path, at])
  else if (isJsonObject(value))
    for (const [name, inner] of Object.entries(value)) yield* pathsIn(inner, [...path, name])
}
