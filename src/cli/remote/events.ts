// The verbs of webhook events that do more than one operation: events show, wait and listen.
import { Option } from 'commander'
import type { z } from 'zod'
import {
  awaitEvents,
  event,
  eventLine,
  eventList,
  eventOperations,
  signedRequest,
  signRequest,
  tooFewEvents,
  workspaceOfEvent,
  workspaceOfEventHelp,
} from '../../operations/events.ts'
import { CliError, exitCodes } from '../io.ts'
import { valueOfJson } from '../json.ts'
import { terminalSafe } from '../output.ts'
import type { Call, Verb } from '../verb.ts'
import { listenVerb } from './listen.ts'
import { RefusedError } from './control-client.ts'
import { sentBy } from './operation-call.ts'
import { optionsOf, verbsOf } from './operation-verbs.ts'
import { secondsOf } from './seconds.ts'
import { bodyText, calls, isJson, type RemoteWork } from './remote-call.ts'
import { remote } from './remote-verb.ts'

const expecting = { name: 'events wait', without: ['timeout_ms'] }

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
    remote({
      name: 'wait',
      about: 'wait until there are as many events, and print them; exits with code 5 after the timeout',
      own: [...optionsOf(awaitEvents, expecting), new Option('--timeout <seconds>', 'timeout').default('5')],
      reads: true,
      routes: ['POST /_sandbox/events/wait'],
      work: waitForEvents,
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

/** Ends with 5 after the timeout, like `wait`. */
async function waitForEvents(call: Call): Promise<RemoteWork> {
  const sent = await sentBy(awaitEvents, expecting, call)
  const timeoutMs = Math.round(1000 * secondsOf(call.flags['timeout']))
  const body = { ...sent.body, timeout_ms: timeoutMs }
  return {
    failed: async (error) => (error instanceof RefusedError ? sent.refused(error) : error),
    perform: async (client, route) => {
      // The sandbox answers after the timeout of the verb.
      const request = { ...route, body, timeoutMs: timeoutMs + 60_000 }
      const answer = await client.fetch(request)
      const late = answer.status === 409 ? tooFewEvents.safeParse(valueOfJson(answer.text)).data : undefined
      if (late) {
        call.io.stdout(isJson(call) ? bodyText(answer.text) : terminalSafe(linesOf(late.events)))
        call.io.stderr(terminalSafe(`error: ${late.error.message}\n`))
        return exitCodes.timedOut
      }
      const { events } = client.read(request, answer, eventList)
      call.io.stdout(isJson(call) ? bodyText(answer.text) : terminalSafe(linesOf(events)))
      return exitCodes.fine
    },
  }
}

const linesOf = (events: readonly z.output<typeof event>[]): string =>
  events.map((one) => `${eventLine(one)}\n`).join('')
