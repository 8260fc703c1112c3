// Declares a verb for a running sandbox, a thin client of its control plane, with the options that all of them have.
import { Option } from 'commander'
import { defaultUrl } from '../../options/index.ts'
import type { Route } from '../../operations/declare.ts'
import { textOrJson, type Call, type Verb } from '../verb.ts'
import type { RemoteWork } from './remote-call.ts'

export const ofAllWorkspaces = 'accepted for consistency; ignored, as this verb is about all workspaces'

/** A verb for a running sandbox. */
export interface RemoteVerb extends Omit<Verb, 'run'> {
  /** Its requests use the first of them, unless its arguments decide otherwise. */
  routes: readonly [Route, ...Route[]]
  /** Which workspace it is about, for help. */
  workspace?: string
  /** Its requests are about all workspaces, unless one was named. */
  isAboutAll?: boolean
  /**
   * It only reads, so it must not create the workspace that it names; by default if all its routes are GET, and about
   * one workspace.
   */
  reads?: boolean
  work(call: Call): Promise<RemoteWork>
}

/** Declares the verb with the common options: URL, workspace, token and format. */
export function remote({
  isAboutAll = false,
  workspace = "the workspace (default: that of a partner's token, or default)",
  own = [],
  work,
  ...verb
}: RemoteVerb): Verb {
  const { routes, reads = !isAboutAll && routes.every((route) => route.startsWith('GET ')) } = verb
  const target = [
    new Option('--url <url>', `URL of the sandbox (default: SANDBOX_URL, or ${defaultUrl})`),
    new Option('--port <number>', 'port of the sandbox on the configured host, in place of --url'),
    new Option('--workspace <name>', workspace),
    new Option(
      '--admin-token <token>',
      'the admin token of the sandbox, or the token of a partner (default: SANDBOX_ADMIN_TOKEN)',
    ),
  ]
  const format = own.some(({ long }) => long === '--format') ? [] : [textOrJson]
  return {
    ...verb,
    own: [...target, ...own, ...format],
    run: async (call) =>
      (await import('./remote-call.ts')).perform(call, routes[0], await work(call), { isAboutAll, reads }),
  }
}
