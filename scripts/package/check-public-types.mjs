// What users see is plain data, `Request` and `Response`. A type inferred from a library would drag that
// library's declarations into ours, and its next version would break our users. The runner of a test kit is theirs.
import { readdirSync, readFileSync } from 'node:fs'

const dist = new URL('../../dist/', import.meta.url)
const { peerDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const allowed = (name) => name.startsWith('node:') || name in peerDependencies

for (const file of readdirSync(dist).filter((name) => name.endsWith('.d.mts'))) {
  const types = readFileSync(new URL(file, dist), 'utf8')
  const leaked = new Set(
    [...types.matchAll(/^\/\/#region node_modules\/((?:@[^/]+\/)?[^/]+)|from ["']([^."'][^"']*)["']/gm)]
      // An example in a comment may import us.
      .map(([, bundled, imported]) => bundled ?? imported)
      .filter((name) => !allowed(name) && !/^partner-rewards-sandbox(\/|$)/.test(name)),
  )
  if (leaked.size > 0) {
    console.error(`dist/${file} exposes types of: ${[...leaked].join(', ')}. Write the public type out.`)
    process.exitCode = 1
  }
}
