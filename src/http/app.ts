// The Hono app that serves every endpoint. Hono finds the route and gives one app for sockets and for calls in process;
// all rules of the API are stages of the pipeline, in one order for every path, unknown ones included.
import type { IncomingMessage } from 'node:http'
import { Hono } from 'hono'
import { errorRow } from '../contract/errors.ts'
import { Became } from '../exchange/became.ts'
import { HonoCaller } from './caller.ts'
import type { App, AppContext, ControlPlane } from './context.ts'
import { OpenExchange } from './open-exchange.ts'
import { answer } from './pipeline.ts'
import { httpDate } from './http-date.ts'
import { pathReader } from './path.ts'
import { hasBody } from './body/read-body.ts'
import { receive } from './receive.ts'
import { plainCopy } from '../json/copy.ts'
import { lazyEntryOf, reasonOf } from '../journal/entry.ts'
import { kept } from '../journal/limits.ts'
import { redactor } from '../secrets/redact.ts'
import { recordExchange } from './record-exchange.ts'
import { routes, type Route } from './routes.ts'
import { send } from './send.ts'
import type { Service } from './service.ts'
import { serveStatementFile } from './statement-files.ts'
import { statementFilesPath } from '../statement-pdf/statement-links.ts'

export function createApp(service: Service, control: ControlPlane): App {
  const app: App = new Hono({ getPath: pathReader(service) })
  app.all(`${statementFilesPath}/:workspace/:file`, async (c) =>
    dated(await serveStatementFile(service, c), service, c.req.param('workspace')),
  )
  app.all('/_sandbox', async (c) => dated(await control(c), service, c.req.query('workspace')))
  app.all('/_sandbox/*', async (c) => dated(await control(c), service, c.req.query('workspace')))
  for (const [path, route] of honoRoutes()) {
    app.all(path, (c) => serve(service, c, fixedRoutes.get(c.req.path) ?? route))
  }
  app.get('/', (c) => {
    const response = c.text('This is partner-rewards-sandbox. See /_sandbox for what is here.\n')
    return dated(response, service, c.env?.workspace?.name)
  })
  app.notFound((c) => serve(service, c, undefined))
  app.onError((error, c) => {
    service.onBug(error, 'none')
    const { status, message } = errorRow('INTERNAL_ERROR')
    const text = JSON.stringify({ error: { type: 'INTERNAL_ERROR', message } })
    const failed = new Became().answerJson(status, text)
    failed.headers['date'] = httpDate(service.workspaces.default.clock.now())
    return send(failed, c.req.method, { gone: () => c.req.raw.signal }, c.env, service.closing)
  })
  return app
}

/** Every answer tells the time of its workspace, also those that no exchange made; where there is none, `default`'s. */
function dated(response: Response, { workspaces }: Service, name = ''): Response {
  const { clock } = workspaces.find(name) ?? workspaces.default
  response.headers.set('date', httpDate(clock.now()))
  return response
}

/** Routes without parameters, by their path. */
const fixedRoutes = new Map(routes.filter(({ hasParams }) => !hasParams).map((route) => [route.path, route]))

/**
 * The routes as Hono takes them. A fixed path that a path with a parameter fits as well goes without a route of its
 * own: for such pairs Hono leaves its fast router.
 */
function honoRoutes(): [string, Route][] {
  const patterns = routes.filter(({ hasParams }) => hasParams).map(({ path }) => patternOf(path))
  return routes
    .filter(({ path, hasParams }) => hasParams || !patterns.some((pattern) => pattern.test(path)))
    .map((route) => [route.path.replace(/\{(\w+)\}/g, ':$1'), route])
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
}

/** Takes one request through the pipeline and sends the answer. */
function serve(service: Service, c: AppContext, route: Route | undefined): Response | Promise<Response> {
  const exchange = new OpenExchange(service, new HonoCaller(c), receive(c, route))
  const answering = answer(exchange)
  // Answering without a promise where none is needed spares every read a turn of the event loop.
  return answering ? answering.then(() => deliver(exchange, c)) : deliver(exchange, c)
}

/** A body that was sent and not read, because the call was refused before or needs none. */
function unreadBody({ caller: { body }, headers, bodyTaken }: OpenExchange): IncomingMessage | undefined {
  if (bodyTaken || !('stream' in body) || !hasBody(body, headers)) return undefined
  return body.stream.readableEnded ? undefined : body.stream
}

function deliver(exchange: OpenExchange, c: AppContext): Response {
  const { service, caller, received, became } = exchange
  recordExchange(exchange)
  if (service.onAnswer) {
    const hide = redactor(exchange.workspace.journal.secrets)
    service.onAnswer(lazyEntryOf(kept(exchange), hide, plainCopy), reasonOf(became, hide))
  }
  return send(became, received.method, caller, c.env, service.closing, unreadBody(exchange))
}
