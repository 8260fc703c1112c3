import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'
import { folderWith } from './fake-io.ts'

/** The project of a partner: tests that make one call. */
export const projectFiles = {
  'package.json': { private: true, type: 'module', scripts: { test: 'node tests.js' } },
  'tests.js': `
    const headers = { authorization: 'Bearer ' + process.env.SANDBOX_API_KEY }
    const answer = await fetch(process.env.SANDBOX_URL + '/v2/rewards/rwd_ada_pending', { headers })
    console.log(await answer.text())
  `,
}

/** That project with the package as npm lays it out, and `npx` without the second that it takes to start. */
export async function partnerProject(): Promise<string> {
  const folder = await folderWith(projectFiles)
  const modules = join(folder, 'node_modules')
  const installed = join(modules, 'partner-rewards-sandbox')
  await mkdir(installed, { recursive: true })
  for (const name of ['package.json', 'AGENTS.md', 'dist', 'fixtures', 'scenarios']) {
    await cp(join(packageRoot(), name), join(installed, name), { recursive: true })
  }
  await mkdir(join(modules, '.bin'))
  const program = join(modules, '.bin', 'partner-rewards-sandbox')
  await symlink(join(installed, 'dist', 'bin.cjs'), program)
  await saveFile(folder, 'bin/npx', `#!/bin/sh\nshift\nexec "${process.execPath}" "${program}" "$@"\n`)
  await chmod(join(folder, 'bin/npx'), 0o755)
  return folder
}

export async function saveFile(folder: string, name: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), content)
}

/** Runs a program of Node in a project, and gives all that it prints. */
export async function runNode(args: string[], cwd: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, args, {
    cwd,
    // Nothing of the runner that these tests run in.
    env: { PATH: process.env['PATH'], HOME: cwd, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, output: stdout + stderr }
}
