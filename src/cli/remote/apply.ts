// The verb apply: sends scenarios and a state document to a running sandbox.
import { activeNames, scenario } from '../../operations/scenarios.ts'
import { bodyLimits } from '../../control/read-body.ts'
import { refusal } from '../../input/problems.ts'
import type { Source } from '../../input/source-file.ts'
import { CliError, exitCodes } from '../io.ts'
import { terminalSafe } from '../output.ts'
import { isScenario, readFiles } from '../read-files.ts'
import type { Call } from '../verb.ts'
import { RefusedError, type ControlClient } from './control-client.ts'
import { bodyText, isJson, type RemoteWork } from './remote-call.ts'
import { replaced, replacedText } from '../../operations/replaced.ts'
import { remote } from './remote-verb.ts'
import { sendDocument } from './send-document.ts'

/** The action for a file, and the answer of the control plane. */
interface Applied {
  done: string
  text: string
}

export const applyVerb = remote({
  name: 'apply',
  about: 'activate a scenario in a running sandbox, or replace its state',
  args: [['<files...>', 'scenarios, and at most one state document']],
  routes: ['PUT /_sandbox/state', 'POST /_sandbox/scenarios'],
  work: async (call) => apply(call),
})

/**
 * Sends the files in order: a scenario is registered and activated after those that are active, a state document
 * replaces the state.
 */
function apply(call: Call): RemoteWork {
  const { args: files, io } = call
  return {
    perform: async (client) => {
      const sources = await readFiles(files, io, bodyLimits.documents)
      const [first, second] = sources.filter((source) => !isScenario(source))
      if (first && second) {
        throw new CliError(
          `error: ${first.name} and ${second.name} would each replace the state: apply one state document`,
          exitCodes.usage,
        )
      }
      for (const source of sources) {
        const { done, text } = await (isScenario(source) ? activate : replaceState)(source, client)
        if (isJson(call)) io.stdout(bodyText(text))
        else io.stderr(`${source.name}: ${done}\n`)
      }
    },
  }
}

async function activate(source: Source, client: ControlClient): Promise<Applied> {
  const route = { method: 'POST', path: '/scenarios' } as const
  const { name } = (await sendDocument(client, route, scenario, source)).data
  const { data, text } = await client
    .ask({ method: 'PATCH', path: '/scenarios/active', body: { on: [name] } }, activeNames)
    .catch(async (error: unknown) => {
      if (!(error instanceof RefusedError) || error.status !== 400) throw error
      // A scenario that cannot be activated here must not stay registered.
      await client.fetch({ method: 'DELETE', path: `/scenarios/${encodeURIComponent(name)}` })
      throw refusal(source.name, error.reason)
    })
  const others = data.active.filter((other) => other !== name)
  const along = others.length === 0 ? '' : `, along with ${others.join(', ')}`
  const done = terminalSafe(`scenario '${name}' is active in workspace '${client.workspace}'${along}`)
  return { done, text }
}

async function replaceState(source: Source, client: ControlClient): Promise<Applied> {
  const route = { method: 'PUT', path: '/state' } as const
  const { data, text } = await sendDocument(client, route, replaced, source)
  const done = terminalSafe(`is the state of workspace '${data.workspace}' now: ${replacedText(data)}`)
  return { done, text }
}
