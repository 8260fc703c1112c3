import { allVerbs } from '../../src/cli/run.ts'
import type { Verb } from '../../src/cli/verb.ts'
import { resources } from '../../src/control/index.ts'

/** An operation over HTTP, on the command line and in the library. */
interface Door {
  route: string
  /** The description of the operation. */
  about: string
  verbs: string[]
  /** The member of the library; empty if there is none. */
  member: string
}

/** Lists each verb with each route that it calls. */
export function verbRoutes(among: readonly Verb[], before = ''): { verb: string; route: string }[] {
  return among.flatMap(({ name, routes = [], verbs: inner = [] }) => [
    ...routes.map((route) => ({ verb: before + name, route })),
    ...verbRoutes(inner, `${before}${name} `),
  ])
}

/** Lists every operation. */
export async function doors(): Promise<Door[]> {
  const all = verbRoutes(await allVerbs())
  return resources
    .flatMap(({ operations }) => operations)
    .map(({ route, about, id }) => ({
      route,
      about,
      verbs: all.filter((one) => one.route === route).map(({ verb }) => verb),
      member: id,
    }))
}
