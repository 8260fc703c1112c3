// Suites for exec and matrix that run in the process of the tests, where it is not their program that is tested.
import { inspect } from 'node:util'
import type { StartProgram } from '../../src/runtime/program.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** The suite, with its variables. It fails by throwing. */
export type Suite = (env: Env) => Promise<unknown>

/** Runs it in place of any command. */
export const startSuite =
  (suite: Suite): StartProgram =>
  async (_command, { env, onOutput }) => ({
    ended: suite(env).then(
      () => 0,
      (error: unknown) => {
        onOutput?.(Buffer.from(`${inspect(error)}\n`))
        return 1
      },
    ),
    kill: () => undefined,
  })

/** A client of the sandbox that a suite is given. */
export function caller({ SANDBOX_URL: url, SANDBOX_API_KEY: key }: Env) {
  return (method: string, path: string, body?: object): Promise<Response> =>
    fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'x-service-merchant-key': 'mk_summit',
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
}
