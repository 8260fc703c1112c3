// The path of an operation, from its declaration: with ids filled in, or open where an earlier answer gives them.
import type { Endpoint } from '../endpoints/define.ts'

/**
 * The path with its parameters filled in; one without an id stays open, as a plan shows it.
 *
 * @param query what follows the path, encoded already.
 * @example pathTo(retrieveReward, { reward_id: 'a/b' })   // '/v2/rewards/a%2Fb'
 * @example pathTo(retrieveReward)   // '/v2/rewards/<reward>'
 */
export function pathTo(
  { path }: Pick<Endpoint, 'path'>,
  ids: Readonly<Record<string, string | undefined>> = {},
  query = '',
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name]
    return id === undefined ? `<${name.replace(/_id$/, '')}>` : encodeURIComponent(id)
  })
  return filled + query
}
