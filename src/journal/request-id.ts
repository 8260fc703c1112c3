// Returns the workspace of a request id: `req_my_shop_12` is the 12th request of workspace my_shop; `req_2-my_shop_12` is
// the same of the second sandbox of a run.

/** Undefined for an invalid request id. Names may contain underscores, so the last one ends the name. */
export function workspaceOfRequestId(id: string): string | undefined {
  return /^req_([A-Za-z0-9_-]{1,80})_\d+$/.exec(id)?.[1]
}

/**
 * Returns the text of a request id before the name of its workspace. @param runNumber see `Origin`.
 * @example requestPrefix(2)   // '2-'
 */
export const requestPrefix = (runNumber: number | undefined): string =>
  runNumber === undefined ? '' : `${runNumber}-`

/** Returns a name without the number of a sandbox in a run. @example withoutRunNumber('2-default')   // 'default' */
export const withoutRunNumber = (name: string): string => name.replace(/^\d+-/, '')
