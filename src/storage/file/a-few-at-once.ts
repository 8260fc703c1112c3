// Files of many workspaces at a time: a few at once, as more only wait for each other.

/** How many files are read or closed at once: more only wait for each other. */
const atOnce = 8

/** Does something with each, a few at once. */
export async function eachOf<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items].values()
  const take = async (): Promise<void> => {
    for (const item of rest) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, take))
}
