import { verbs } from '../../src/cli/run.ts'
import type { Verb } from '../../src/cli/verb.ts'
import type { Method } from '../../src/control/define.ts'
import { nouns } from '../../src/control/index.ts'

/** An operation of the control plane, and how to call it over HTTP, on the command line and in process. */
interface Door {
  path: string
  method: string
  /** The verbs of the command line. */
  verbs: string[]
  /** The reason why there is no verb. */
  whyNoVerb: string | undefined
  library: string | undefined
  /** The reason why there is no library function. */
  whyNoLibrary: string | undefined
}

/** Lists each verb with each route that it calls. */
export function verbRoutes(among: readonly Verb[] = verbs, before = ''): { verb: string; route: string }[] {
  return among.flatMap(({ name, routes = [], verbs: inner = [] }) => [
    ...routes.map((route) => ({ verb: before + name, route })),
    ...verbRoutes(inner, `${before}${name} `),
  ])
}

/** Lists every method of every path of the control plane, except for the page, which calls the other paths. */
export function doors(): Door[] {
  const all = verbRoutes()
  const callable = nouns.filter(({ isPage }) => !isPage)
  return callable.flatMap(({ path, methods, library, whyNoLibrary, whyNoVerb }) =>
    (Object.keys(methods) as Method[]).map((method) => ({
      path,
      method,
      verbs: all.filter(({ route }) => route === `${method} ${path}`).map(({ verb }) => verb),
      whyNoVerb: whyNoVerb?.[method],
      library: library[method],
      whyNoLibrary: whyNoLibrary?.[method],
    })),
  )
}
