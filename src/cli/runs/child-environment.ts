// The environment variables of a program that runs beside a sandbox: SANDBOX_URL, SANDBOX_API_KEY, the token.
import { fileVariableOf, variableOf, type CommandSettings, type Settings } from '../../options/index.ts'
import type { Sandbox, SandboxServer } from '../../sandbox/index.ts'
import type { Io } from '../io.ts'
import { readyKeyOf } from '../log.ts'
import { reachable } from '../reachable.ts'

/** Why the environment is not all that it should be, beside it. */
interface ChildEnvironment {
  env: Io['env']
  problem?: string
}

/**
 * Ours, with the address of the sandbox and a key for it, and with the token that the control plane asks for, so that
 * verbs such as `reset` work in it.
 *
 * The key is one for exactly one product: with any other, each call needs one more header, which no client sends that
 * just takes the key.
 */
export function childEnvironment(
  sandbox: Pick<Sandbox, 'apiKey' | 'environment' | 'state'>,
  server: Pick<SandboxServer, 'url'>,
  { adminToken, traceDir }: Pick<Settings, 'adminToken'> & Partial<Pick<CommandSettings, 'traceDir'>>,
  env: Io['env'],
): ChildEnvironment {
  const key = readyKeyOf(sandbox)
  const isReady = sandbox.state
    .list('api_keys')
    .some(({ api_key, products }) => api_key === key && Array.isArray(products) && products.length === 1)
  const made = {
    ...env,
    SANDBOX_URL: reachable(server.url),
    // One that is there by chance is none of this sandbox.
    SANDBOX_API_KEY: isReady ? key : undefined,
    ...(adminToken === undefined ? {} : { [variableOf('adminToken')]: adminToken }),
    ...(traceDir === undefined ? {} : { [variableOf('traceDir')]: traceDir }),
    // It holds the same, and the two do not stand beside each other.
    [fileVariableOf('adminToken')]: undefined,
  }
  const problem = `SANDBOX_API_KEY is not set: no API key of environment ${sandbox.environment} is for exactly one product; add one to api_keys`
  return isReady ? { env: made } : { env: made, problem }
}
