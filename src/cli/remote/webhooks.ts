// The verbs webhooks add, list, update, remove and rotate, for the endpoints of a running sandbox.
import type { z } from 'zod'
import * as answers from '../../control/answers.ts'
import { CliError } from '../io.ts'
import type { Call } from '../verb.ts'
import { endpointFields, endpointTypes, refusalInOptions, textsOf } from './fields.ts'
import { calls, type RemoteWork } from './remote-call.ts'

type Endpoint = z.infer<typeof answers.webhookEndpoint>

/** @example endpointLine(endpoint)   // we_1  http://localhost:3000/webhooks  *  enabled */
function endpointLine({ id, url, events, enabled, listener }: Endpoint): string {
  const target = url === null ? 'a handler in the program' : listener ? `${url} (by a listener)` : url
  return `${[id, target, events.join(','), enabled ? 'enabled' : 'disabled'].join('  ')}\n`
}

const withSecret = (endpoint: Endpoint & { readonly secret?: string }): string =>
  `${endpointLine(endpoint)}${endpoint.secret === undefined ? '' : `secret ${endpoint.secret}\n`}`

/** The warnings about endpoints, a line for each; undefined if there are none. */
function warningsOf(...endpoints: Endpoint[]): string | undefined {
  const lines = endpoints.flatMap(({ warning }) => (warning === undefined ? [] : [`warning: ${warning}`]))
  return lines.length === 0 ? undefined : lines.join('\n')
}

/** The types of a list with commas. */
export function typesOf(text: string): string[] {
  return text.split(',').map((type) => type.trim())
}

export function addEndpoint(call: Call): RemoteWork {
  const [url = ''] = call.args
  const { events, secret } = textsOf(call.flags, [...Object.keys(endpointTypes), 'secret'])
  return calls(call, {
    body: {
      url,
      ...(events !== undefined && { events: typesOf(events) }),
      ...(secret !== undefined && { secret }),
    },
    answer: answers.endpointWithSecret,
    text: withSecret,
    advice: warningsOf,
    refused: (error) => refusalInOptions(error, ['events', 'secret']),
  })
}

export function listEndpoints(call: Call): RemoteWork {
  return calls(call, {
    query: call.flags['showSecrets'] === true ? { secrets: 'true' } : {},
    answer: answers.webhookEndpoints,
    text: ({ webhook_endpoints: endpoints }) => endpoints.map(withSecret).join(''),
    advice: ({ webhook_endpoints: endpoints }) => warningsOf(...endpoints),
  })
}

export function updateEndpoint(call: Call): RemoteWork {
  const fields = Object.keys(endpointFields)
  const { to: url, events, enabled } = textsOf(call.flags, fields)
  if (url === undefined && events === undefined && enabled === undefined)
    throw new CliError('error: nothing to change: set --to, --events or --enabled')
  if (enabled !== undefined && enabled !== 'true' && enabled !== 'false')
    throw new CliError("error: --enabled: must be 'true' or 'false'")
  return calls(call, {
    body: {
      ...(url !== undefined && { url }),
      ...(events !== undefined && { events: typesOf(events) }),
      ...(enabled !== undefined && { enabled: enabled === 'true' }),
    },
    answer: answers.webhookEndpoint,
    text: endpointLine,
    advice: warningsOf,
    refused: (error) => refusalInOptions(error, ['events', 'enabled']),
  })
}

export function removeEndpoint(call: Call): RemoteWork {
  const [id = ''] = call.args
  return calls(call, { answer: answers.noContent, note: () => `Removed ${id}` })
}

export function rotateEndpoint(call: Call): RemoteWork {
  return calls(call, {
    answer: answers.endpointWithSecret,
    text: withSecret,
    advice: warningsOf,
  })
}
