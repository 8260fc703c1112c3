// The verb apply: gives scenarios and a state document to a running sandbox.
import { z } from 'zod'
import { bodyLimits } from '../../control/read-body.ts'
import { refusal } from '../../reading/problems.ts'
import type { Source } from '../../reading/source-file.ts'
import { connect } from './connect.ts'
import { RefusedError, standing, type ControlClient } from './control-client.ts'
import { sendDocument } from './send-document.ts'
import { CliError, exitCodes, type Io } from '../io.ts'
import { terminalSafe } from '../output.ts'
import { isScenario, readFiles } from '../read-files.ts'
import type { FlagValues } from '../settings.ts'

const named = z.object({ name: z.string().transform(terminalSafe) })
const activeList = z.object({ active: z.array(z.string()) })

/**
 * Gives files to a running sandbox, in their order: a scenario is registered and activated after those that are
 * active, a state document replaces the state.
 */
export async function apply(files: readonly string[], flags: FlagValues, io: Io): Promise<number> {
  const client = await connect(flags, io)
  const sources = await readFiles(files, io, bodyLimits.documents)
  const [first, second] = sources.filter((source) => !isScenario(source))
  if (first && second) {
    throw new CliError(
      `error: ${first.name} and ${second.name} would each replace the state: apply one state document`,
      exitCodes.usage,
    )
  }
  for (const source of sources) {
    const done = isScenario(source) ? await activate(source, client) : await replaceState(source, client)
    io.stderr(`${source.name}: ${done}\n`)
  }
  return exitCodes.fine
}

async function activate(source: Source, client: ControlClient): Promise<string> {
  const { name } = (await sendDocument(client, ['POST', '/scenarios'], named, source)).data
  const now = await client
    .ask('PATCH', '/scenarios/active', activeList, { body: { on: [name] } })
    .catch(async (error: unknown) => {
      if (!(error instanceof RefusedError) || error.status !== 400) throw error
      // What cannot be active here is not left behind either.
      await client.read('DELETE', `/scenarios/${encodeURIComponent(name)}`)
      throw refusal(source.name, error.reason)
    })
  const before = now.active.filter((other) => other !== name).map(terminalSafe)
  const along = before.length === 0 ? '' : `, along with ${before.join(', ')}`
  return `scenario '${name}' is active in workspace '${client.workspace}'${along}`
}

async function replaceState(source: Source, client: ControlClient): Promise<string> {
  const { workspace, text } = (await sendDocument(client, ['PUT', '/state'], standing, source)).data
  return `is the state of workspace '${workspace}' now: ${text}`
}
