// The environment variables of a program that runs with a sandbox: SANDBOX_URL, SANDBOX_API_KEY, the token.
import { fileVariableOf, variableOf, type CommandSettings, type Settings } from '../../options/index.ts'
import type { Sandbox, SandboxServer } from '../../sandbox/index.ts'
import type { Io } from '../io.ts'
import { readyKeyOf } from '../log.ts'
import { reachable } from '../reachable.ts'

/** Why the environment is incomplete. */
interface ChildEnvironment {
  env: Io['env']
  problem?: string
}

/**
 * Our environment, with the URL of the sandbox, a key for it, and the token of the control plane, so that verbs such as
 * `reset` work in it.
 *
 * The key is for exactly one product: with any other, each call needs one more header, which a client with only a key
 * does not send.
 */
export function childEnvironment(
  sandbox: Pick<Sandbox, 'apiKey' | 'state' | 'webhooks'>,
  server: Pick<SandboxServer, 'url'>,
  {
    adminToken,
    assume,
    environment,
    traceDir,
  }: Pick<Settings, 'adminToken' | 'assume' | 'environment'> & Partial<Pick<CommandSettings, 'traceDir'>>,
  env: Io['env'],
): ChildEnvironment {
  const key = readyKeyOf(sandbox)
  const isReady = sandbox.state
    .list('api_keys')
    .some(({ api_key, products }) => api_key === key && Array.isArray(products) && products.length === 1)
  const made = {
    ...env,
    SANDBOX_URL: reachable(server.url),
    // An inherited one does not belong to this sandbox.
    SANDBOX_API_KEY: isReady ? key : undefined,
    ...(servesEvents(assume) && { [variableOf('webhookSecret')]: sandbox.webhooks.secret }),
    ...(adminToken === undefined ? {} : { [variableOf('adminToken')]: adminToken }),
    ...(traceDir === undefined ? {} : { [variableOf('traceDir')]: traceDir }),
    // Each has the same value as the variable itself, and the two exclude each other.
    [fileVariableOf('adminToken')]: undefined,
    [fileVariableOf('webhookSecret')]: undefined,
  }
  const problem = `SANDBOX_API_KEY is not set: no API key of environment ${environment} is for exactly one product; add one to api_keys`
  return isReady ? { env: made } : { env: made, problem }
}

/** Whether webhook events are served, so that the suite may verify their signatures. */
function servesEvents(assume: Settings['assume']): boolean {
  const { webhook_events: value = 'not_served' } = assume
  return value !== 'not_served'
}
