// Returns the workspace of a request id: `req_my_shop_12` is the 12th request of workspace my_shop.

/** Undefined for an invalid request id. Names may contain underscores, so the last one ends the name. */
export function workspaceOfRequestId(id: string): string | undefined {
  return /^req_([A-Za-z0-9_-]{1,64})_\d+$/.exec(id)?.[1]
}
