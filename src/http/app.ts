// The Hono app: the control plane, statement files, and every call of the API that does not come straight from a
// socket. All rules of the API are stages of the pipeline, in one order for every path, unknown ones included.
import { Hono } from 'hono'
import { findRoute } from '../endpoints/routes.ts'
import { IncomingRequest } from '../call/incoming-request.ts'
import { sentHeaders } from '../call/sent-headers.ts'
import { statementFilesPath } from '../statement-pdf/statement-links.ts'
import { SocketCaller, WebCaller, type Caller } from './caller.ts'
import type { App, AppContext, ControlPlane } from './context.ts'
import { letPagesRead } from './cors.ts'
import { bugAnswer } from './deliver.ts'
import { httpDate } from './http-date.ts'
import { ServedCall } from './served-call.ts'
import { basePath, pathReader } from './path.ts'
import { answer } from './pipeline.ts'
import type { Service } from './service.ts'
import { serveStatementFile } from './statement-files.ts'

/** @param pagePath where browsers find the page of the control plane; undefined while that is closed. */
export function createApp(service: Service, control: ControlPlane, pagePath: () => string | undefined): App {
  const app: App = new Hono({ getPath: pathReader(service) })
  app.all(`${statementFilesPath}/:workspace/:file`, async (c) => {
    const { response, isGenuine } = await serveStatementFile(service, c)
    // The time of a partner's workspace is none of anybody else's business.
    const whose = isGenuine || !service.workspaces.areApart ? c.req.param('workspace') : undefined
    return dated(letPagesRead(response, c.req.raw, service.corsOrigins), service, whose)
  })
  for (const path of ['/_sandbox', '/_sandbox/*']) {
    app.all(path, async (c) => {
      const { response, workspace } = await control(c)
      return dated(response, service, workspace)
    })
  }
  app.get('/', (c) => {
    const page = acceptsPages(c) ? pagePath() : undefined
    const response =
      page === undefined
        ? c.text('This is partner-rewards-sandbox. See /_sandbox for what is here.\n')
        : c.text('', 302, { location: basePath(service) + page })
    return dated(response, service, c.env?.workspace?.name)
  })
  app.notFound((c) => callThrough(c, (caller) => answer(new ServedCall(service, caller, receive(c)))))
  app.onError((error, c) => {
    service.onBug(error, 'none')
    return callThrough(c, (caller) => caller.send(bugAnswer(service), c.req.method, service.closing))
  })
  return app
}

/** Whether a browser asks: other clients take anything. */
function acceptsPages(c: AppContext): boolean {
  return c.req.header('accept')?.toLowerCase().includes('text/html') ?? false
}

/** Every answer tells the time of its workspace, also those that no call made; where there is none, `default`'s. */
function dated(response: Response, { workspaces }: Service, name = ''): Response {
  const { clock } = workspaces.find(name) ?? workspaces.default
  response.headers.set('date', httpDate(clock.now()))
  return response
}

/** The Response of a call that a caller of Hono's context makes; what stands for it where it went to a socket. */
function callThrough(c: AppContext, call: (caller: Caller) => void): Promise<Response> {
  const { incoming, outgoing, sent, workspace, lost } = c.env
  return new Promise((resolve) => {
    if (incoming && outgoing && sent) return call(new SocketCaller(incoming, outgoing, () => resolve(sent)))
    const caller = new WebCaller(c.req.raw, workspace, (ending) => {
      if ('response' in ending) return resolve(ending.response)
      lost?.(ending.lost)
      resolve(new Response(null))
    })
    call(caller)
  })
}

function receive(c: AppContext): IncomingRequest {
  const { url, method, headers } = c.req.raw
  const pathStart = url.indexOf('/', url.indexOf('//') + 2)
  return new IncomingRequest({
    method,
    target: url.slice(pathStart),
    origin: url.slice(0, pathStart),
    headers: sentHeaders(c.env.incoming ? c.env.incoming.rawHeaders : rawHeadersOf(headers)),
    route: findRoute(c.req.path),
    routedPath: c.req.path,
  })
}

/** The headers of a call in process, as a socket gives them; a copy, as its caller may change them for the next. */
function rawHeadersOf(headers: Headers): string[] {
  const raw: string[] = []
  for (const [name, value] of headers) raw.push(name, value)
  // The journal keeps it: a list that was added to has room for many more.
  return raw.slice()
}
