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

/** Problems of what was sent, where they stand in the file: the same places, unless YAML was sent as JSON. */
function inFile(problems: readonly Problem[], source: Source, body: string): Problem[] {
  // What JSON.stringify writes is one line.
  const offsets = problems.map(({ column = 1 }) => column - 1)
  const locations = source.json === undefined ? source.locateAll(pathsAt(body, offsets)) : []
  return problems.map((problem, index) => {
    if (problem.source !== bodyName) return problem
    const { path, message } = problem
    if (source.json !== undefined || problem.column === undefined) return { ...problem, source: source.name }
    return { source: source.name, ...locations[index], path, message }
  })
}
