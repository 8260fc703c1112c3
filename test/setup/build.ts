// Builds dist when it is older than the sources, once for all tests of the projects that need it.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export function setup(): void {
  const script = fileURLToPath(new URL('../../scripts/build-if-stale.mjs', import.meta.url))
  execFileSync(process.execPath, [script], { stdio: 'inherit' })
}
