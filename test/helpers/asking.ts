import type { SandboxOptions } from '../../src/index.ts'
import { cli, folderWith, type Ran } from './fake-io.ts'
import { startSandbox } from './sandbox.ts'

/** A sandbox that listens, and the command line that asks it. */
export interface Asking {
  sandbox: Awaited<ReturnType<typeof startSandbox>>
  url: string
  ask: (argv: readonly string[], stdin?: string) => Promise<Ran>
}

/** @param files what stands in the working directory. */
export async function asking(
  files: Readonly<Record<string, string | object>> = {},
  options: SandboxOptions = {},
): Promise<Asking> {
  const sandbox = await startSandbox(options)
  const { url } = await sandbox.listen()
  const cwd = await folderWith(files)
  return { sandbox, url, ask: (argv, stdin = '') => cli(argv, { cwd, stdin, env: { SANDBOX_URL: url } }) }
}

/** It went well, and printed this. */
export const printed = (stdout: string): Ran => ({ code: 0, stdout, stderr: '' })
/** It went well, and said this of what it did. */
export const said = (stderr: string): Ran => ({ code: 0, stdout: '', stderr })
/** It was refused. */
export const refused = (code: number, stderr: string): Ran => ({ code, stdout: '', stderr })
