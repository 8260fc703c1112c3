// The workspace that the id of a request names: `req_my_shop_12` is the 12th request of workspace my_shop.

/** Undefined for a text that is no id of a request. Names may hold underscores, so the last one ends the name. */
export function workspaceOfRequestId(id: string): string | undefined {
  return /^req_([A-Za-z0-9_-]{1,64})_\d+$/.exec(id)?.[1]
}
