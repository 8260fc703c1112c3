// The control plane, /_sandbox: every noun of it behind the guard, as a Hono app; Hono finds the noun of a path.
import { Hono } from 'hono'
import type { Bindings, ControlPlane } from '../http/context.ts'
import { controlError } from '../http/control-error.ts'
import { controlCall, type ControlCall } from './audit.ts'
import { letPagesRead } from '../http/cors.ts'
import { guard, type GuardOptions } from './guard.ts'
import { drainBody, hasBody } from '../http/body/read-body.ts'
import { monotonicNow } from '../runtime/host.ts'
import type { Redactor } from '../secrets/redact.ts'
import { assumption, assumptions } from './assumptions.ts'
import { advance, clock } from './clock.ts'
import { contract, coverage } from './coverage.ts'
import { allowOf, dispatch, type ControlContext, type Noun } from './define.ts'
import { health } from './health.ts'
import { metrics } from './metrics.ts'
import { openapi, schemas } from './openapi.ts'
import { pageNoun, type Page } from './page.ts'
import { ready } from './ready.ts'
import { replayRequest, request, requests, verifyRequests } from './requests.ts'
import { reset } from './reset.ts'
import { activeScenarios, scenario, scenarios } from './scenarios.ts'
import { simulateStatement, simulateTransaction } from './simulate.ts'
import { diff, restore, snapshot, snapshots } from './snapshots.ts'
import { account, collection, row, state, stubs } from './state.ts'
import { stop } from './stop.ts'
import { trace } from './trace.ts'
import { stream } from './stream.ts'
import type { SharedStore } from '../shared-store/shared-store.ts'
import type { Verbs } from '../verbs/index.ts'
import { workspace, workspaces } from './workspaces.ts'

const nounsWith = (page?: Page): readonly Noun[] => [
  health,
  ready,
  metrics,
  state,
  account,
  stubs,
  collection,
  row,
  reset,
  snapshots,
  snapshot,
  restore,
  diff,
  workspaces,
  workspace,
  scenarios,
  activeScenarios,
  scenario,
  clock,
  advance,
  simulateTransaction,
  simulateStatement,
  requests,
  verifyRequests,
  request,
  replayRequest,
  stream,
  contract,
  coverage,
  assumptions,
  assumption,
  trace,
  stop,
  openapi,
  ...schemas,
  pageNoun(page),
]

export const nouns = nounsWith()

const index: Noun = {
  path: '/_sandbox',
  about: 'this list',
  shared: true,
  library: {},
  methods: {
    GET: () =>
      Response.json({
        name: 'partner-rewards-sandbox',
        paths: nouns.map((noun) => ({ path: noun.path, methods: allowOf(noun), about: noun.about })),
      }),
  },
}

/** What the control plane is made of. */
interface ControlParts {
  verbs: Verbs
  guard: GuardOptions
  getPath: (request: Request) => string
  /** Hides secrets in what is told of calls. */
  hide: Redactor
  /** Told of each call that was to change something, refused or not. */
  onCall: ((call: ControlCall) => void) | undefined
  /** Serves the page for browsers, where there is one. */
  page?: Page
  /** The store that several processes share, where there is one. */
  store?: SharedStore | undefined
}

/** Pages of other origins may read nothing of it, but for the nouns that say so. */
export function createControl({
  verbs,
  guard: options,
  getPath,
  hide,
  onCall,
  page,
  store,
}: ControlParts): ControlPlane {
  const app = new Hono<{ Bindings: Bindings }>({ getPath })
  const guarded = (c: ControlContext, noun?: Noun): Response | undefined =>
    guard(c.req.raw, c.env?.incoming, options, noun)
  const answer = async (noun: Noun, c: ControlContext): Promise<Response> => {
    const began = monotonicNow()
    const refused = noun.open ? undefined : guarded(c, noun)
    const response = refused ?? (await dispatch(noun, verbs, c, store))
    const isRead = noun.readOnly ?? ['GET', 'HEAD', 'OPTIONS'].includes(c.req.method)
    if (onCall && !isRead) onCall(controlCall(c, response, monotonicNow() - began, hide))
    return noun.forPages && !refused ? letPagesRead(response, c.req.raw, options.corsOrigins) : response
  }
  for (const noun of [index, ...nounsWith(page)]) {
    app.all(noun.isPage ? `${noun.path}/*` : noun.path, (c) => answer(noun, c))
  }
  // For Hono a slash at the end makes it a path below.
  app.all(`${index.path}/`, (c) => answer(index, c))
  app.notFound(
    (c) =>
      guarded(c) ?? controlError('NOT_FOUND', 'Nothing is at this path: GET /_sandbox lists what is here.'),
  )
  // A bug of ours is told to whoever runs the sandbox, and answered, where bugs of the API are.
  app.onError((error) => {
    throw error
  })
  return async (c) => {
    const response = await app.fetch(c.req.raw, c.env)
    const incoming = c.env?.incoming
    // A client that is busy sending a body that nobody reads would see a reset in place of the answer.
    if (incoming && hasBody({ stream: incoming }, incoming.headers)) await drainBody(incoming)
    return response
  }
}
