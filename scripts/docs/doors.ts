import { verbs } from '../../src/cli/run.ts'
import type { Verb } from '../../src/cli/verb.ts'
import type { Method } from '../../src/control/define.ts'
import { nouns } from '../../src/control/index.ts'

/** What can be asked of a sandbox, and how: over HTTP, on the command line, in process. */
interface Door {
  path: string
  method: string
  /** As one types them. */
  verbs: string[]
  /** Why there is none. */
  noVerb: string | undefined
  library: string | undefined
  /** Why there is none. */
  noLibrary: string | undefined
}

/** Each verb with each path that it is the door of. */
export function verbRoutes(among: readonly Verb[] = verbs, before = ''): { verb: string; route: string }[] {
  return among.flatMap(({ name, routes = [], verbs: inner = [] }) => [
    ...routes.map((route) => ({ verb: before + name, route })),
    ...verbRoutes(inner, `${before}${name} `),
  ])
}

/** Every method of every path of the control plane but the page, which asks through the others. */
export function doors(): Door[] {
  const all = verbRoutes()
  const asked = nouns.filter(({ isPage }) => !isPage)
  return asked.flatMap(({ path, methods, library, noLibrary, noVerb }) =>
    (Object.keys(methods) as Method[]).map((method) => ({
      path,
      method,
      verbs: all.filter(({ route }) => route === `${method} ${path}`).map(({ verb }) => verb),
      noVerb: noVerb?.[method],
      library: library[method],
      noLibrary: noLibrary?.[method],
    })),
  )
}
