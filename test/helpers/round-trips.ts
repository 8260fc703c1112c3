import { onTestFinished, vi } from 'vitest'
import type { Call } from '../../src/call/index.ts'
import { ServedCall } from '../../src/http/served-call.ts'
import { readCall, writeCall } from '../../src/journal/call-text.ts'
import { writtenOfBody } from '../../src/journal/extent.ts'
import { Journal } from '../../src/journal/journal.ts'
import { kept } from '../../src/journal/limits.ts'
import type { Sandbox, SandboxWorkspace } from '../../src/index.ts'
import type { Workspace } from '../../src/workspaces/workspace.ts'

/** The writes for the calls of one workspace. */
interface Written {
  workspace: Workspace
  service: ServedCall['service']
  /** Oldest first. */
  texts: string[]
}

/** Everything that is asked of the journal of a workspace; what cannot be asked is the reason. */
function everything({ requests, assumptions }: SandboxWorkspace): object {
  const entries = requests.list()
  const first = entries.at(-1)
  return {
    entries,
    explained: entries.map(({ id }) => requests.get(id)),
    fixtures: entries.map(({ id }) => requests.fixture(id)),
    har: requests.har(),
    filtered: [
      requests.list({ status: '4xx' }),
      requests.list({ outcome: 'not_found' }),
      requests.list({ operation: 'updateReward' }),
      requests.list({ text: 'ada' }),
      requests.list({ after: first?.id ?? '', limit: 3 }),
    ],
    verified: [
      requests.verify({ operation: 'retrieveReward', headers: { authorization: 'B*' }, at_least: 1_000 }),
      requests.verify({
        body: { amount: 5 },
        query: { limit: '*' },
        params: { reward_id: 'rwd_*' },
        count: 999,
      }),
    ],
    dropped: requests.dropped,
    used: assumptions().map(({ used }) => used),
  }
}

/**
 * Watches each call of the sandboxes of a test, and writes it down as another replica would get it. What it gives
 * reads all of them back in place of those that were written, and tells what is asked of both.
 */
export function roundTrips() {
  const written = new Map<Journal, Written>()
  const add = Journal.prototype.add
  const spy = vi.spyOn(Journal.prototype, 'add').mockImplementation(function (this: Journal, call: Call) {
    const number = add.call(this, call)
    if (!(call instanceof ServedCall)) throw new Error('only open calls are added')
    const { workspace, service } = call
    const one = written.get(this) ?? { workspace, service, texts: [] }
    one.texts.push(writeCall(call, contextOf(one)))
    written.set(this, one)
    return number
  })
  onTestFinished(() => spy.mockRestore())
  return {
    /** The texts so far, of all workspaces. */
    texts: () => [...written.values()].flatMap(({ texts }) => texts),
    /** Every place in which what is asked of a workspace is not the same, with the beginnings of long bodies in both. */
    differences(sandbox: Sandbox): string[] {
      return [...written].flatMap(([journal, one]) => {
        const { name } = one.workspace
        const { dropped } = journal
        const originals = [...journal.calls()].map((call) => kept(call, writtenOfBody))
        const read = one.texts
          .slice(one.texts.length - originals.length)
          .map((text) => readCall(text, contextOf(one)))
          .toReversed()
        journal.follow(originals, dropped)
        const before = everything(sandbox.workspace(name))
        journal.follow(read, dropped)
        const after = everything(sandbox.workspace(name))
        journal.follow(originals, dropped)
        return [
          ...differencesOf(before, after, name),
          ...originals.flatMap((original, place) =>
            differencesOf(fieldsOf(original), fieldsOf(read[place]), `${name}.${place}`),
          ),
        ]
      })
    },
  }
}

/** Bytes of ASCII and their text are the same to everybody. */
const asBytes = (body: string | Uint8Array | null | undefined): string | null =>
  body === null || body === undefined ? null : Buffer.from(body).toString('hex')

/** All fields of a call; rows are compared as those of entries and fixtures, and a plan as it is explained. */
function fieldsOf(call: Call | undefined): object {
  if (!call) return {}
  const { request, resolution, outcome } = call
  const { plan, key, product, stub, lastRead: _read, ...facts } = resolution
  const { duration: _duration, failure, ...made } = outcome
  return {
    received: {
      ...request,
      body: asBytes(request.body),
      arrival: request.arrival,
      size: request.size,
      params: request.params,
    },
    found: {
      ...facts,
      key: key?.id,
      product: product?.merchant_key,
      stub: { ...stub?.stub, body: undefined, params: stub?.params },
      offContract: resolution.offContract,
      plan: plan && {
        ...plan,
        verdicts: undefined,
        endedBy: undefined,
        ending: undefined,
        changes: undefined,
        paging: undefined,
        rewritings: undefined,
      },
    },
    became: {
      ...made,
      body: asBytes(made.body),
      headers: outcome.headers,
      failure: { ...failure, message: failure?.message },
    },
  }
}

/** Every place in which two values differ, with both of them. */
function differencesOf(before: unknown, after: unknown, at: string): string[] {
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) {
    const reported = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200)
    return Object.is(before, after) ? [] : [`${at}: ${reported(before)}, then ${reported(after)}`]
  }
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) =>
    differencesOf(Reflect.get(before, name), Reflect.get(after, name), `${at}.${name}`),
  )
}

export function contextOf({ workspace, service }: Omit<Written, 'texts'>) {
  return {
    state: workspace.state,
    baseline: service.workspaces.baseline,
    catalogue: service.scenarioLibrary.catalogue,
  }
}
