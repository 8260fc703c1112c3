// The verbs scenarios on, off, restart and active: activate, deactivate, restart and list scenarios.
import * as answers from '../../control/answers.ts'
import type { Call } from '../verb.ts'
import { calls, type RemoteWork } from './remote-call.ts'

export function listActive(call: Call): RemoteWork {
  return calls(call, {
    answer: answers.active,
    text: ({ active }) => active.map((name) => `${name}\n`).join(''),
  })
}

export function restartScenario(call: Call): RemoteWork {
  const [name] = call.args
  return calls(call, {
    answer: answers.scenario,
    note: (_, { workspace }) => `Restarted scenario '${name}' in workspace '${workspace}'`,
  })
}

/**
 * Switches a scenario on, after those that are active, or off. An unknown name is refused, as the scenario that was
 * meant would stay unchanged.
 */
export function switchScenario(call: Call, to: 'on' | 'off'): RemoteWork {
  return calls(call, {
    body: { [to]: call.args },
    answer: answers.active,
    note: ({ active }, { workspace }) => {
      const now = active.length === 0 ? 'no scenario is active' : `active: ${active.join(', ')}`
      return `In workspace '${workspace}' ${now}`
    },
  })
}
