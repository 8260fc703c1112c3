// The default fixture among others: the word that names it in a list of fixtures, and what messages call it.

/** Names the built-in rows among fixtures; `./default` is a path. */
export const builtInRows = 'default'

/** How messages name what stands in `fixtures/default.json`. */
export const builtInName = 'built-in rows'
