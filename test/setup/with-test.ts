// Ends what helpers started for a test. A hook at the top of a helper would not do: files share a thread, which loads a
// helper once, and its hooks would belong to the first file alone.
import { afterAll, onTestFinished, TestRunner } from 'vitest'

type End = () => unknown

/** For what was started outside of a test; one list for a worker, which runs many files. */
const ends: End[] = listOfWorker()

afterAll(async () => {
  for (const end of ends.splice(0)) await end()
})

/**
 * Calls back when the test ends that is running; outside of one, such as in `beforeAll`, when its file ends.
 *
 * @example withTest(() => server.close())
 */
export function withTest(end: End): void {
  if (TestRunner.getCurrentTest()) onTestFinished(async () => void (await end()))
  else whenFileEnds(end)
}

/** Calls back when the file ends that is running. */
export function whenFileEnds(end: End): void {
  ends.push(end)
}

function listOfWorker(): End[] {
  const shared = globalThis as { endsOfFile?: End[] }
  return (shared.endsOfFile ??= [])
}
