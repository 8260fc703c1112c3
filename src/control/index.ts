import { Hono } from 'hono'
import type { Bindings, ControlPlane } from '../http/app.ts'
import { controlError } from '../http/control-error.ts'
import { guard, type GuardOptions } from '../http/guard.ts'
import { assumptions } from './assumptions.ts'
import { allowOf, dispatch, type Noun } from './define.ts'
import { health } from './health.ts'
import { openapi } from './openapi.ts'
import { activeScenarios, scenario, scenarios } from './scenarios.ts'
import { schemas } from './schemas.ts'
import type { Verbs } from './verbs.ts'

/** Every noun of the control plane. */
export const nouns: readonly Noun[] = [
  health,
  assumptions,
  scenarios,
  activeScenarios,
  scenario,
  openapi,
  ...schemas,
]

const index: Noun = {
  path: '/_sandbox',
  about: 'this list',
  methods: {
    GET: () =>
      Response.json({
        name: 'partner-rewards-sandbox',
        paths: nouns.map((noun) => ({ path: noun.path, methods: allowOf(noun), about: noun.about })),
      }),
  },
}

/** The control plane below `/_sandbox`: the guard first, then the noun. No answer of it is open to other origins. */
export function createControl(
  verbs: Verbs,
  guardOptions: GuardOptions,
  getPath: (request: Request) => string,
): ControlPlane {
  const app = new Hono<{ Bindings: Bindings }>({ getPath })
  for (const noun of [index, ...nouns]) {
    app.all(noun.path, (c) => {
      const refused = noun.open ? undefined : guard(c.req.raw, c.env?.incoming, guardOptions)
      return refused ?? dispatch(noun, verbs, c)
    })
  }
  app.notFound(
    (c) =>
      guard(c.req.raw, c.env?.incoming, guardOptions) ??
      controlError('NOT_FOUND', 'Nothing is at this path: GET /_sandbox lists what is here.'),
  )
  return (c) => app.fetch(c.req.raw, c.env)
}
