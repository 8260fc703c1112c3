// The path of an operation, from its declaration: with ids filled in, or open if an earlier answer has them.
import type { Endpoint } from '../endpoints/define.ts'

/**
 * Returns the path with its parameters filled in; a missing id stays open, as in a plan.
 *
 * @param query the query, already encoded.
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
