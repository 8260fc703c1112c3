// The control plane, /_sandbox: every resource behind the guard, as a Hono app; Hono finds the resource of a path.
import { Hono } from 'hono'
import type { Bindings, ControlPlane, Partner } from '../http/context.ts'
import { controlError } from '../http/control-error.ts'
import { controlCall, type ControlCall } from './audit.ts'
import { letPagesRead } from '../http/cors.ts'
import { acceptsHtml, basePath } from '../http/path.ts'
import { goneSignal } from '../http/client-gone.ts'
import { guard, isOperator, type GuardOptions } from './guard.ts'
import { bodyOf, drainBody } from '../http/body/read-body.ts'
import { monotonicNow } from '../runtime/host.ts'
import type { Redactor } from '../secrets/redact.ts'
import { assumption, assumptions } from './assumptions.ts'
import { advance, clock } from './clock.ts'
import { contract, coverage } from './coverage.ts'
import { allowOf, dispatch, type ControlContext, type Noun } from './define.ts'
import { differences } from './differences.ts'
import { ExpensiveAnswers } from './expensive-answers.ts'
import {
  drainEvents,
  event,
  eventRequest,
  events,
  reportDelivery,
  resendEvent,
  triggerEvent,
  waitForEvents,
} from './events.ts'
import { health } from './health.ts'
import { metrics } from './metrics.ts'
import { openapi, schemas } from './openapi.ts'
import { pageNoun, pagePath, type Page } from './page.ts'
import { orRefusal } from './refusal.ts'
import { partnerOf, refusePartner } from './principal.ts'
import { ready } from './ready.ts'
import { replayRequest, request, requests, timeline, verifyRequests } from './requests.ts'
import { reset } from './reset.ts'
import { activeScenarios, restartScenario, scenario, scenarios } from './scenarios.ts'
import { simulateStatement, simulateTransaction } from './simulate.ts'
import { diff, restore, snapshot, snapshots } from './snapshots.ts'
import { account, collection, row, state, stubs } from './state.ts'
import { stop } from './stop.ts'
import { trace } from './trace.ts'
import { stream } from './stream.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import type { Verbs } from '../operations/index.ts'
import { rotateEndpoint, webhookEndpoint, webhookEndpoints } from './webhook-endpoints.ts'
import { rotate, workspace, workspaces as workspacesNoun } from './workspaces.ts'

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
  differences,
  workspacesNoun,
  workspace,
  rotate,
  scenarios,
  activeScenarios,
  scenario,
  restartScenario,
  clock,
  advance,
  simulateTransaction,
  simulateStatement,
  events,
  triggerEvent,
  drainEvents,
  waitForEvents,
  event,
  eventRequest,
  resendEvent,
  reportDelivery,
  webhookEndpoints,
  webhookEndpoint,
  rotateEndpoint,
  requests,
  timeline,
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

/** Whether a path is open to every client, so that no guard reads the headers of its requests. */
export function isOpen(path: string): boolean {
  return nouns.some((noun) => noun.open === true && noun.path === path)
}

const index: Noun = {
  path: '/_sandbox',
  about: 'this list',
  shared: true,
  forPartners: ['GET'],
  library: {},
  methods: {
    GET: () =>
      Response.json({
        name: 'partner-rewards-sandbox',
        paths: nouns.map((noun) => ({ path: noun.path, methods: allowOf(noun), about: noun.about })),
      }),
  },
}

/** The dependencies of the control plane. */
interface ControlParts {
  verbs: Verbs
  workspaces: Workspaces
  guard: GuardOptions
  getPath: (request: Request) => string
  /** Hides secrets in the audit trail. */
  hide: Redactor
  /** Called with each call that could change something, refused or not. */
  onCall: ((call: ControlCall) => void) | undefined
  /** Serves the page for browsers, if there is one. */
  page?: Page
}

/** Pages of other origins may read nothing, except resources that allow it. */
export function createControl({
  verbs,
  workspaces,
  guard: options,
  getPath,
  hide,
  onCall,
  page,
}: ControlParts): ControlPlane {
  const app = new Hono<{ Bindings: Bindings }>({ getPath })
  const expensiveAnswers = new ExpensiveAnswers()
  const kept = {
    workspaces,
    slotFor: (c: ControlContext) => expensiveAnswers.slotFor(goneSignal(c.req.raw, c.env)),
  }
  const guarded = (c: ControlContext, noun: Partial<Noun> = {}): Response | undefined => {
    const requested = { ...noun, isPartner: c.env?.partner !== undefined }
    return guard(c.req.raw, c.env?.incoming, options, requested)
  }
  const identifyPartner = async ({ env, req }: ControlContext): Promise<Partner | undefined> => {
    const partner = await partnerOf(req.header('authorization') ?? null, workspaces)
    if (partner) env.partner = partner
    return partner
  }
  const refusalOf = async (c: ControlContext, noun: Noun): Promise<Response | undefined> => {
    if (noun.open) return undefined
    const partner = await identifyPartner(c)
    return (
      guarded(c, noun) ?? (partner && !noun.isPage ? refusePartner(partner, noun, c, workspaces) : undefined)
    )
  }
  const answer = async (noun: Noun, c: ControlContext): Promise<Response> => {
    const began = monotonicNow()
    const refused = await orRefusal(() => refusalOf(c, noun))
    const response = refused ?? (await dispatch(noun, verbs, c, kept))
    const isRead = noun.readOnly ?? ['GET', 'HEAD', 'OPTIONS'].includes(c.req.method)
    if (onCall && !isRead) onCall(controlCall(c, response, monotonicNow() - began, hide))
    return noun.forPages && !refused ? letPagesRead(response, c.req.raw, options.corsOrigins) : response
  }
  for (const noun of nounsWith(page)) {
    app.all(noun.isPage ? `${noun.path}/*` : noun.path, (c) => answer(noun, c))
  }
  /** For browsers the page, under the guard rules of the page, as the answer has no data either. */
  const toPage: Noun = {
    ...index,
    isPage: true,
    methods: { GET: (_verbs, c) => c.text('', 302, { location: basePath(options) + pagePath }) },
  }
  // For Hono a trailing slash makes it another path.
  for (const path of [index.path, `${index.path}/`]) {
    app.all(path, (c) => answer(page && acceptsHtml(c) ? toPage : index, c))
  }
  app.notFound(async (c) => {
    await identifyPartner(c)
    return guarded(c) ?? controlError('NOT_FOUND', 'Unknown path: GET /_sandbox lists all paths.')
  })
  // A bug of ours is logged for the operator and answered like bugs of the API.
  app.onError((error) => {
    throw error
  })
  return async (c) => {
    const { headers } = c.req.raw
    const env: Bindings = { ...c.env }
    const response = await orRefusal(() => app.fetch(c.req.raw, env))
    const { partner } = env
    // A client that is still sending an unread body would see a connection reset instead of the answer.
    await drainBody(bodyOf(c.req.raw, c.env))
    const named = c.req.query('workspace')
    const seesAll = !workspaces.policy.hidesOthers || isOperator(headers, options.token)
    if (seesAll) return { response, workspace: named }
    // Only its partner may see the time of a workspace.
    const requested = named ?? partner?.of
    return {
      response,
      workspace: requested !== undefined && partner?.owns(requested) ? requested : undefined,
    }
  }
}
