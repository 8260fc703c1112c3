// A control plane over verbs that a test makes up, without a sandbox behind it.
import { Hono } from 'hono'
import { createControl } from '../../src/control/index.ts'
import type { Bindings } from '../../src/http/context.ts'
import { KnownSecrets } from '../../src/secrets/known-secrets.ts'
import { redactor } from '../../src/secrets/redact.ts'
import type { Verbs } from '../../src/operations/index.ts'
import { testIsolation } from '../../src/workspaces/isolation-policy.ts'
import { serviceSaving } from './served-call.ts'

type Control = Parameters<typeof createControl>[0]

/** Its app; a failure of ours is answered with its message. */
export function controlPlane(
  verbs: Partial<Verbs>,
  {
    token,
    page,
    saved = () => undefined,
  }: { token?: string; page?: Control['page']; saved?: () => Promise<void> | undefined } = {},
): Hono<{ Bindings: Bindings }> {
  const control = createControl({
    verbs: verbs as Verbs,
    workspaces: serviceSaving(saved).workspaces,
    guard: {
      admin: undefined,
      policy: testIsolation,
      token,
      allowedHosts: [],
      corsOrigins: [],
      baseUrl: undefined,
      onLoopback: () => true,
    },
    getPath: (request) => new URL(request.url).pathname,
    hide: redactor(new KnownSecrets()),
    onCall: undefined,
    ...(page && { page }),
  })
  const app = new Hono<{ Bindings: Bindings }>()
  app.all('*', async (c) => (await control(c)).response)
  app.onError((error, c) => c.text(error.message, 500))
  return app
}
