// The verbs of webhook events that do more than one operation: events show and listen.
import { Option } from 'commander'
import type { z } from 'zod'
import {
  event,
  eventOperations,
  signedRequest,
  signRequest,
  workspaceOfEvent,
  workspaceOfEventHelp,
} from '../../operations/events.ts'
import { CliError } from '../io.ts'
import type { Call, Verb } from '../verb.ts'
import { listenVerb } from './listen.ts'
import { sentBy } from './operation-call.ts'
import { optionsOf, verbsOf } from './operation-verbs.ts'
import { calls, type RemoteWork } from './remote-call.ts'
import { remote } from './remote-verb.ts'

export const eventsVerb: Verb = {
  name: 'events',
  about: 'the webhook events of a running sandbox that serves them (--webhooks)',
  verbs: [
    ...verbsOf('events', eventOperations).nested,
    remote({
      name: 'show',
      about: 'print one event with its attempts, or the signed request that delivers it',
      workspace: workspaceOfEventHelp,
      args: [['<id>', 'such as evt_1']],
      own: [
        new Option('--request', 'print the signed request: headers and body'),
        ...optionsOf(signRequest, { name: 'events show' }),
      ],
      routes: ['GET /_sandbox/events/:id', 'GET /_sandbox/events/:id/request'],
      work: showEvent,
    }),
    listenVerb,
  ],
}

/** Shows an event, or the request that delivers it. */
async function showEvent(call: Call): Promise<RemoteWork> {
  const [id = ''] = call.args
  const { query, refused } = await sentBy(signRequest, { name: 'events show' }, call)
  if (call.flags['request'] !== true) {
    if (query['at'] !== undefined)
      throw new CliError('error: --at needs --request: it is the signed time of the request')
    if (query['endpoint'] !== undefined)
      throw new CliError('error: --endpoint needs --request: its secret signs the request')
    return calls(call, { answer: event }, workspaceOfEvent(call.args, call.flags['workspace']))
  }
  const text = ({ method, url, headers, body }: z.infer<typeof signedRequest>): string => {
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    return [`${method} ${url}`, ...head, '', body, ''].join('\n')
  }
  const path = `/events/${encodeURIComponent(id)}/request`
  return calls(
    call,
    { path, query, answer: signedRequest, text, refused },
    workspaceOfEvent(call.args, call.flags['workspace']),
  )
}
