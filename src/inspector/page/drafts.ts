// Drafts: unsaved texts of editors, in memory until the page is closed.

/** A typed text, and the row that it started from. */
export interface Draft {
  text: string
  /** The row when the editor was opened; undefined for a new row. */
  opened?: object | undefined
}

/** By workspace and edited path, see `draftKey`. Only in memory: rows may contain secrets. */
export const drafts = new Map<string, Draft>()

/** @param path the edited path, such as `/state/rewards/rwd_1`. */
export function draftKey(workspace: string, path: string): string {
  return `${workspace} ${path}`
}

/** Stores the typed text; a text that equals the original is no draft. */
export function keepDraft(key: string, { text, opened }: Draft, first: string): void {
  if (text === first) drafts.delete(key)
  else drafts.set(key, { text, opened })
}
