import { allVerbs } from '../../src/cli/run.ts'
import type { Verb } from '../../src/cli/verb.ts'
import { resources } from '../../src/control/index.ts'

/** An operation over HTTP, on the command line and in the library. */
interface Door {
  route: string
  verbs: string[]
  /** The member of the library. */
  member: string
}

/** Lists each verb with each route that it calls. */
export function verbRoutes(among: readonly Verb[], before = ''): { verb: string; route: string }[] {
  return among.flatMap(({ name, routes = [], verbs: inner = [] }) => [
    ...routes.map((route) => ({ verb: before + name, route })),
    ...verbRoutes(inner, `${before}${name} `),
  ])
}

/** Lists every operation, except for the page, which calls the others. */
export async function doors(): Promise<Door[]> {
  const all = verbRoutes(await allVerbs())
  return resources
    .flatMap(({ operations }) => operations)
    .filter(({ isPage }) => !isPage)
    .map(({ route, id }) => ({
      route,
      verbs: all.filter((one) => one.route === route).map(({ verb }) => verb),
      member: id,
    }))
}
