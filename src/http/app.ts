// The Hono app: every path that the sandbox serves.
import { Hono } from 'hono'
import { routesOf } from '../endpoints/routes.ts'
import { statementFilesPath } from './statements/statement-links.ts'
import type { App, AppContext, ControlPlane } from './context.ts'
import { letPagesRead } from './cors.ts'
import { httpDate } from './http-date.ts'
import { acceptsHtml, basePath, pathReader } from './path.ts'
import { bugOutcome } from './record-call.ts'
import { responseOf } from './respond.ts'
import { serve } from './serve.ts'
import type { Service } from './service.ts'
import { serveStatementFile } from './statements/statement-files.ts'
import { LostAnswerError } from './transport-faults.ts'

/**
 * The paths of the API come from the declarations of the endpoints. Each path accepts every method, as the stage
 * `matchRoute` decides about methods. Unknown paths run through the same stages.
 *
 * @param pagePath the path of the control plane's page for browsers; undefined while the control plane is closed.
 */
export function createApp(service: Service, control: ControlPlane, pagePath: () => string | undefined): App {
  const { hidesOthers } = service.workspaces.policy
  const app: App = new Hono({ getPath: pathReader(service) })
  const routes = routesOf(service.assumptions)
  for (const route of routes) {
    // Beside a path with a parameter that matches it, a fixed path would make Hono use its slow router for every call.
    if (routes.some((other) => other !== route && other.match(route.path))) continue
    const inside = routes.filter((other) => other !== route && route.match(other.path))
    app.all(route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) =>
      serve(service, inside.find(({ path }) => path === c.req.path) ?? route, c),
    )
  }
  app.all(`${statementFilesPath}/:workspace/:file`, async (c) => {
    const { response, isGenuine } = await serveStatementFile(service, c)
    // Only the partner who owns the workspace may see its time.
    const workspace = isGenuine || !hidesOthers ? c.req.param('workspace') : undefined
    return dated(letPagesRead(response, c.req.raw, service.corsOrigins), service, workspace)
  })
  for (const path of ['/_sandbox', '/_sandbox/*']) {
    app.all(path, async (c) => {
      const { response, workspace } = await control(c)
      return dated(response, service, workspace)
    })
  }
  app.get('/', (c) => dated(greeting(c, service, pagePath()), service, c.env.workspace?.name))
  app.notFound((c) => serve(service, undefined, c))
  app.onError((error) => {
    if (error instanceof LostAnswerError) throw error
    service.onBug(error, 'none')
    return responseOf(bugOutcome(service))
  })
  return app
}

/** Answers programs with a line of text, and redirects browsers to the page. */
function greeting(c: AppContext, service: Service, page: string | undefined): Response {
  if (page !== undefined && acceptsHtml(c)) return c.text('', 302, { location: basePath(service) + page })
  return c.text('This is partner-rewards-sandbox. See /_sandbox for its control plane.\n')
}

/** Sets the date to the time of the workspace, for answers outside calls; without a workspace, that of `default`. */
function dated(response: Response, { workspaces }: Service, name = ''): Response {
  const { clock } = workspaces.find(name) ?? workspaces.default
  response.headers.set('date', httpDate(clock.now()))
  return response
}
