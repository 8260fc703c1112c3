// What users see is plain data, `Request` and `Response`. A type inferred from a library would drag that
// library's declarations into ours, and its next version would break our users.
import { readFileSync } from 'node:fs'

const types = readFileSync(new URL('../dist/index.d.mts', import.meta.url), 'utf8')
const leaked = new Set(
  [...types.matchAll(/^\/\/#region node_modules\/((?:@[^/]+\/)?[^/]+)|from ["']([^."'][^"']*)["']/gm)]
    .map(([, bundled, imported]) => bundled ?? imported)
    .filter((name) => !name.startsWith('node:')),
)

if (leaked.size > 0) {
  console.error(`dist/index.d.mts exposes types of: ${[...leaked].join(', ')}. Write the public type out.`)
  process.exitCode = 1
}
