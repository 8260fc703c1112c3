// Limits how many files are processed concurrently.

/** Maximum number of files that are read or closed concurrently: more would only wait for each other. */
const maxConcurrent = 8

/** Processes each item, `maxConcurrent` of them concurrently. */
export async function forEachLimited<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items].values()
  const take = async (): Promise<void> => {
    for (const item of rest) await work(item)
  }
  await Promise.all(Array.from({ length: maxConcurrent }, take))
}
