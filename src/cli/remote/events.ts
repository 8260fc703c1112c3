// The verbs events list, show, trigger, resend, drain and wait, for the webhook events of a running sandbox.
import type { z } from 'zod'
import * as answers from '../../control/answers.ts'
import { defaultWorkspace, workspaceOfEventId } from '../../store/sequences.ts'
import { CliError, exitCodes } from '../io.ts'
import { terminalSafe } from '../output.ts'
import type { Call } from '../verb.ts'
import { eventFields, numbersOf, refusalInOptions, textsOf, waitFields } from './fields.ts'
import { readInput } from './input.ts'
import { bodyText, calls, isJson, type RemoteWork } from './remote-call.ts'
import { valueOfJson } from '../json.ts'

type Event = z.infer<typeof answers.event>

/** @example eventLine(event)   // 2027-01-01T00:00:00.000Z  evt_1  reward.updated  api  delivered */
export function eventLine({ id, type, time, source, deliveries, request_id: request }: Event): string {
  const last = deliveries.at(-1)
  return [time, id, type, request ?? source, last?.state ?? 'collected'].join('  ')
}

const lines = (events: readonly Event[]): string => events.map((event) => `${eventLine(event)}\n`).join('')

const drops = (dropped: number): string =>
  dropped === 0 ? '' : `${dropped} older ${dropped === 1 ? 'event was' : 'events were'} dropped\n`

export function listEvents(call: Call): RemoteWork {
  const fields = Object.keys(eventFields)
  return calls(call, {
    query: textsOf(call.flags, fields),
    answer: answers.events,
    text: ({ events, dropped }) => drops(dropped) + lines(events.toReversed()),
    refused: (error) => refusalInOptions(error, fields),
  })
}

/** Returns the workspace of the event that a verb names: that of `--workspace`, or the one in the id. */
export function workspaceOfEvent({ args: [id = ''], flags: { workspace } }: Call): string | undefined {
  if (typeof workspace === 'string') return workspace
  const ofId = workspaceOfEventId(id)
  // A token of a partner decides where its ids have no name.
  return ofId === defaultWorkspace ? undefined : ofId
}

/** Shows an event, or the request that delivers it. */
export function showEvent(call: Call): RemoteWork {
  const [id = ''] = call.args
  const query = textsOf(call.flags, ['at', 'endpoint'])
  if (call.flags['request'] !== true) {
    if (query['at'] !== undefined)
      throw new CliError('error: --at needs --request: it is the signed time of the request')
    if (query['endpoint'] !== undefined)
      throw new CliError('error: --endpoint needs --request: its secret signs the request')
    return calls(call, { answer: answers.event }, workspaceOfEvent(call))
  }
  const text = ({ method, url, headers, body }: z.infer<typeof answers.signedRequest>): string => {
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    return [`${method} ${url}`, ...head, '', body, ''].join('\n')
  }
  const path = `/events/${encodeURIComponent(id)}/request`
  return calls(call, { path, query, answer: answers.signedRequest, text }, workspaceOfEvent(call))
}

export function triggerEvent(call: Call): RemoteWork {
  const [type = ''] = call.args
  const { id, data } = textsOf(call.flags, ['id', 'data'])
  if (id === undefined)
    throw new CliError(
      'error: no resource: set --id to the id of an existing one, such as --id rwd_ada_pending',
    )
  return {
    perform: async (client, request) => {
      const fields = data === undefined ? undefined : (await readInput(data, call.io)).value
      const body = { type, id, ...(fields === undefined ? {} : { data: fields }) }
      await calls(call, { body, answer: answers.event, text: (event) => `${eventLine(event)}\n` }).perform(
        client,
        request,
      )
    },
  }
}

export function resendEvent(call: Call): RemoteWork {
  const text = (event: Event): string => {
    const last = event.deliveries.at(-1)
    return `${eventLine(event)}${last === undefined ? '' : ` (${last.reason})`}\n`
  }
  return calls(call, { answer: answers.event, text }, workspaceOfEvent(call))
}

export function drainEvents(call: Call): RemoteWork {
  return calls(call, {
    answer: answers.drained,
    text: ({ delivered, failed, waiting }) =>
      `delivered ${delivered}, failed ${failed}, waiting ${waiting}\n`,
  })
}

/** Ends with 5 after the timeout, like `wait`. */
export function waitForEvents(call: Call): RemoteWork {
  const { timeout: seconds = 5 } = numbersOf(call.flags, ['timeout'])
  const fields = Object.keys(waitFields).filter((field) => field !== 'count')
  const body = {
    ...textsOf(call.flags, fields),
    ...numbersOf(call.flags, ['count']),
    timeout_ms: Math.round(seconds * 1000),
  }
  return {
    perform: async (client, route) => {
      // The sandbox answers after the timeout of the verb.
      const request = { ...route, body, timeoutMs: body.timeout_ms + 60_000 }
      const answer = await client.fetch(request)
      const late =
        answer.status === 409 ? answers.tooFewEvents.safeParse(valueOfJson(answer.text)).data : undefined
      if (late) {
        call.io.stdout(isJson(call) ? bodyText(answer.text) : terminalSafe(lines(late.events)))
        call.io.stderr(terminalSafe(`error: ${late.error.message}\n`))
        return exitCodes.timedOut
      }
      const { events } = client.read(request, answer, answers.eventList)
      call.io.stdout(isJson(call) ? bodyText(answer.text) : terminalSafe(lines(events)))
      return exitCodes.fine
    },
  }
}
