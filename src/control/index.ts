// The control plane, /_sandbox: every resource behind the guard, as a Hono app; Hono finds the resource of a path.
import { Hono } from 'hono'
import { z } from 'zod'
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
import {
  allowOf,
  handled,
  isRead,
  methodOf,
  operationFor,
  resourcesOf,
  type Handled,
  type Resource,
} from './resource.ts'
import { dispatch } from './dispatch.ts'
import type { ControlContext } from './context.ts'
import { ExpensiveAnswers } from './expensive-answers.ts'
import { pageFiles, pagePath, type Page } from './page.ts'
import { orRefusal } from './refusal.ts'
import { partnerOf, refusePartner } from './principal.ts'
import { replaceState } from './replace-state.ts'
import { reportDelivery } from './report-delivery.ts'
import { registerScenario } from './register-scenario.ts'
import { stream } from './stream.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import { operations } from '../operations/list.ts'
import type { Verbs } from '../operations/index.ts'

/** The path of the page, which shows what the others answer. */
const pageOf = (page?: Page): Resource => ({ path: pagePath, operations: [pageFiles(page)] })

export const resources: readonly Resource[] = resourcesOf([
  ...operations.map(handled),
  replaceState,
  registerScenario,
  reportDelivery,
  stream,
  pageFiles(),
])

const isUnguarded = ({ operations: all }: Resource): boolean => all.every(({ guard: by }) => by === 'none')

const index: Handled = {
  id: '',
  route: 'GET /_sandbox',
  about: 'list the paths',
  result: z.object({
    name: z.string(),
    paths: z.array(z.object({ path: z.string(), methods: z.string(), about: z.string() })),
  }),
  of: 'sandbox',
  partners: true,
  handle: () =>
    Response.json({
      name: 'partner-rewards-sandbox',
      paths: resources.map((resource) => ({
        path: resource.path,
        methods: allowOf(resource),
        about: aboutPath(resource),
      })),
    }),
}

/** Describes a path: what each of its methods does. */
function aboutPath({ operations: all }: Resource): string {
  const [first] = all
  if (first && all.every(({ about }) => about === first.about)) return first.about
  return all.map(({ route, about }) => `${methodOf(route)}: ${about}`).join('; ')
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
  const dispatchContext = {
    workspaces,
    slotFor: (c: ControlContext) => expensiveAnswers.slotFor(goneSignal(c.req.raw, c.env)),
  }
  const guarded = (c: ControlContext, resource?: Resource): Response | undefined => {
    const requested = {
      forPages: resource?.operations.some(({ guard: by }) => by === 'pages') === true,
      isPage: resource?.operations.some(({ isPage }) => isPage) === true,
      isPartner: c.env?.partner !== undefined,
    }
    return guard(c.req.raw, c.env?.incoming, options, requested)
  }
  const identifyPartner = async ({ env, req }: ControlContext): Promise<Partner | undefined> => {
    const partner = await partnerOf(req.header('authorization') ?? null, workspaces)
    if (partner) env.partner = partner
    return partner
  }
  const refusalOf = async (c: ControlContext, resource: Resource): Promise<Response | undefined> => {
    if (isUnguarded(resource)) return undefined
    const partner = await identifyPartner(c)
    const refused = guarded(c, resource)
    if (refused || !partner || resource.operations.some(({ isPage }) => isPage)) return refused
    return refusePartner(partner, resource, c, workspaces)
  }
  const answer = async (resource: Resource, c: ControlContext): Promise<Response> => {
    const began = monotonicNow()
    const refused = await orRefusal(() => refusalOf(c, resource))
    const response = refused ?? (await dispatch(resource, verbs, c, dispatchContext))
    const operation = operationFor(resource, c)
    const changes = !['GET', 'HEAD', 'OPTIONS'].includes(c.req.method) && !(operation && isRead(operation))
    if (onCall && changes) onCall(controlCall(c, response, monotonicNow() - began, hide))
    const isForPages = resource.operations.some(({ guard: by }) => by === 'pages' || by === 'none')
    return isForPages && !refused ? letPagesRead(response, c.req.raw, options.corsOrigins) : response
  }
  for (const resource of resources.map((one) => (one.path === pagePath ? pageOf(page) : one))) {
    const isPage = resource.operations.some((operation) => operation.isPage)
    app.all(isPage ? `${resource.path}/*` : resource.path, (c) => answer(resource, c))
  }
  /** For browsers the page, under the guard rules of the page, as the answer has no data either. */
  const toPage: Handled = {
    ...index,
    isPage: true,
    handle: (_verbs, c) => c.text('', 302, { location: basePath(options) + pagePath }),
  }
  // For Hono a trailing slash makes it another path.
  for (const path of ['/_sandbox', '/_sandbox/']) {
    app.all(path, (c) => answer({ path, operations: [page && acceptsHtml(c) ? toPage : index] }, c))
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
