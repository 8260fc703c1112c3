// The text that announces failed calls.
import type { StreamedEntry } from './source.ts'

/**
 * Returns the newest failed call, and how many others failed; empty if there are none.
 * @example failureText(requests)   // 'GET /v2/rewards/rwd_9: 404 not_found'
 */
export function failureText(
  requests: readonly Pick<StreamedEntry, 'method' | 'path' | 'status' | 'outcome'>[],
): string {
  const failed = requests.filter(({ status }) => status === null || status >= 400)
  const newest = failed.at(-1)
  if (!newest) return ''
  const { method, path, status, outcome } = newest
  const others = failed.length === 1 ? '' : `, and ${failed.length - 1} more failed`
  return `${method} ${path}: ${status ?? 'lost'} ${outcome}${others}`
}
