// Packs what is built and installs it once, for all tests of the package; each project of theirs links to it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { setup as build } from './build.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of a project into which the tarball was installed. */
    installedPackage: string
  }
}

export function setup({ provide }: TestProject): () => void {
  build()
  const home = mkdtempSync(join(tmpdir(), 'sandbox-package-'))
  const npm = (cwd: string, ...args: string[]): string =>
    execFileSync(
      'npm',
      [...args, '--offline', '--no-audit', '--no-fund', '--silent', '--cache', join(home, 'cache')],
      {
        cwd,
        encoding: 'utf8',
      },
    ).trim()
  const tarball = npm(process.cwd(), 'pack', '--ignore-scripts', '--pack-destination', home)
  writeFileSync(
    join(home, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module' }),
  )
  npm(home, 'install', join(home, tarball))
  provide('installedPackage', home)
  return () => rmSync(home, { recursive: true, force: true })
}
