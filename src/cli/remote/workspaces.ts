// The verbs workspaces, workspaces create, rotate and delete, for the workspaces of a running sandbox.
import type { z } from 'zod'
import * as answers from '../../control/answers.ts'
import type { Call } from '../verb.ts'
import { checkName } from './connect.ts'
import { calls, type RemoteWork } from './remote-call.ts'

const line = (
  { name, api_key: key, created_at: at, damaged }: z.output<typeof answers.workspace>,
  width = 0,
): string => `${name.padEnd(width)}  ${at}  ${damaged === true ? 'damaged' : (key ?? 'no API key to show')}\n`

type Created = z.output<typeof answers.created>
type Credentials = z.output<typeof answers.credentials>

const hasToken = (answer: Created): answer is Credentials => 'admin_token' in answer

function createdText(answer: Created): string {
  if (!hasToken(answer)) return line(answer)
  const { name, created_at: at, api_keys: keys, admin_token: token } = answer
  const lines = keys.map(({ id, api_key: key, secret, scopes, products }) =>
    [
      `${id}  ${key}`,
      `  secret ${secret}  products ${products.join(', ') || 'none'}`,
      `  ${scopes.join(', ') || 'no scopes'}`,
    ].join('\n'),
  )
  return `${[`${name}  ${at}`, `token ${token}`, ...lines].join('\n')}\n`
}

/** On stderr, so that it is not redirected into a file. */
const shownOnce = (answer: Created): string | undefined =>
  hasToken(answer)
    ? `These are shown only once: copy them now; \`workspaces rotate ${answer.name}\` replaces them.`
    : undefined

export function listWorkspaces(call: Call): RemoteWork {
  return calls(call, {
    answer: answers.workspaces,
    text: ({ workspaces }) => {
      const width = Math.max(...workspaces.map(({ name }) => name.length))
      return workspaces.map((one) => line(one, width)).join('')
    },
  })
}

export function createWorkspace(call: Call): RemoteWork {
  const { from } = call.flags
  const [name = ''] = call.args
  checkName('workspace', name)
  if (typeof from === 'string') checkName('workspace', from)
  return calls(call, {
    body: { name, from },
    answer: answers.created,
    text: createdText,
    advice: shownOnce,
  })
}

export function rotateWorkspace(call: Call): RemoteWork {
  return calls(call, {
    answer: answers.credentials,
    text: createdText,
    advice: shownOnce,
  })
}

export function deleteWorkspace(call: Call): RemoteWork {
  const [name] = call.args
  return calls(call, {
    answer: answers.noContent,
    note: () => `Deleted workspace '${name}'`,
  })
}
