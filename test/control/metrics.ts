// Reads the metrics of a sandbox.
import type { startSandbox } from '../helpers/sandbox.ts'
import { readExposition, type Family } from '../helpers/exposition.ts'

type Started = Awaited<ReturnType<typeof startSandbox>>

async function read(sandbox: Pick<Started, 'metrics'>): Promise<Map<string, Family>> {
  return readExposition(await sandbox.metrics())
}

/** The samples of one metric, by name and labels. */
export async function samplesOf(
  sandbox: Pick<Started, 'metrics'>,
  name: string,
): Promise<Record<string, number>> {
  return Object.fromEntries((await read(sandbox)).get(name)?.samples ?? [])
}

/** How many calls were counted, by labels. */
export const counted = (sandbox: Started) => samplesOf(sandbox, 'sandbox_requests_total')
