// Sends a document or scenario to a running sandbox; what it refuses is told at the lines of the file.
import type { z } from 'zod'
import { bodyName } from '../../control/read-body.ts'
import { DocumentError, refusal, type Problem } from '../../reading/problems.ts'
import { pathsAt } from '../../reading/json-positions.ts'
import type { Source } from '../../reading/source-file.ts'
import { RefusedError, type ControlClient } from './control-client.ts'
import { exitCodes } from '../io.ts'
import { jsonOf } from './input.ts'

/** @throws {DocumentError} when the sandbox refuses it, at the places of the file. */
export async function sendDocument<T>(
  client: ControlClient,
  [method, path]: readonly [method: string, path: string],
  schema: z.ZodType<T>,
  source: Source,
): Promise<{ data: T; text: string }> {
  const body = jsonOf(source)
  try {
    return await client.askWhole(method, path, schema, { body, isDocument: true })
  } catch (error) {
    if (!(error instanceof RefusedError) || error.exitCode !== exitCodes.badFile) throw error
    const { problems, reason, more } = error
    if (problems.length === 0) throw refusal(source.name, reason)
    throw new DocumentError(inFile(problems, source, body), more)
  }
}

/** How a message ends that names another place in the same text. */
const otherLine = / in line (\d+)$/

/** Problems of what was sent, where they stand in the file: the same places, unless YAML was sent as JSON. */
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

/** For each problem where it stands in a text, and the other place that its message names. */
function offsetsOf(problems: readonly Problem[], text: string): number[] {
  const lines = [...text.matchAll(/^ */gm)]
  return problems.flatMap(({ line = 1, column = 1, message }) => {
    const start = lines[line - 1]?.index ?? 0
    const other = lines[Number(otherLine.exec(message)?.[1] ?? 1) - 1]
    return [start + column - 1, (other?.index ?? 0) + (other?.[0].length ?? 0)]
  })
}
