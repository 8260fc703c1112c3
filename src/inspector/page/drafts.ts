// Drafts: unsaved texts of editors, in memory until the page is closed.

/** A text that was typed, and what it was made of. */
export interface Draft {
  text: string
  /** The row as it was when it was opened; undefined for what is new. */
  opened?: object | undefined
}

/** By workspace and what is edited, see `draftKey`. Only in memory: rows may hold what must not lie around. */
export const drafts = new Map<string, Draft>()

/** @param path what is edited, such as `/state/rewards/rwd_1`. */
export function draftKey(workspace: string, path: string): string {
  return `${workspace} ${path}`
}

/** Keeps what was typed; a text that is as it was at first is none. */
export function keepDraft(key: string, { text, opened }: Draft, first: string): void {
  if (text === first) drafts.delete(key)
  else drafts.set(key, { text, opened })
}
