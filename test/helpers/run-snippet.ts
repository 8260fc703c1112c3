import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'
import { folderWith } from './fake-io.ts'
import { freePort } from './free-port.ts'
import { bin, codeCache } from './processes.ts'
import { projectFiles } from './partner-project.ts'

/**
 * Runs pieces of shell one after the other, as the steps of a pipeline, on a port that is free. The sandbox is
 * installed as npm does it, so `npm ci` has nothing to do.
 */
export async function runSnippet(
  steps: readonly string[],
  env: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
): Promise<{ stdout: string; folder: string; url: string }> {
  const port = await freePort()
  const toPort = (text: string): string =>
    text.replaceAll(/(?<=localhost:|127\.0\.0\.1:|--port )4010\b/g, String(port))
  const url = `http://localhost:${port}`
  const moved = Object.entries(files).map(([name, text]) => [name, toPort(text)])
  const folder = await folderWith({ ...projectFiles, ...Object.fromEntries(moved) })
  await mkdir(join(folder, 'node_modules', '.bin'), { recursive: true })
  await symlink(bin, join(folder, 'node_modules', '.bin', 'partner-rewards-sandbox'))
  await symlink(
    join(packageRoot(), 'node_modules', '@playwright'),
    join(folder, 'node_modules', '@playwright'),
  )
  const written = (name: string): string => readFileSync(join(folder, name), 'utf8')
  for (const step of steps.filter((each) => each !== 'npm ci')) {
    // Files, as a step's output is not at its end while something that it left running may still print.
    const outputs = [openSync(join(folder, 'stdout'), 'a'), openSync(join(folder, 'stderr'), 'a')] as const
    const shell = spawn('bash', ['-e', '-c', toPort(step)], {
      cwd: folder,
      // A group of its own, so that what a step leaves running ends with the test.
      detached: true,
      stdio: ['ignore', ...outputs],
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        ...codeCache,
        npm_config_offline: 'true',
        npm_config_update_notifier: 'false',
        SANDBOX_PORT: String(port),
        SANDBOX_URL: url,
        ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, toPort(value)])),
      },
    })
    onTestFinished(() => endGroup(shell.pid))
    const [code] = (await once(shell, 'exit')) as [number | null]
    outputs.forEach(closeSync)
    if (code !== 0)
      throw new Error(`exit code ${code} of:\n${step}\n${written('stdout')}${written('stderr')}`)
  }
  return { stdout: written('stdout'), folder, url }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of it runs any more.
  }
}
