import { sandboxMetrics } from '../../../src/metrics/sandbox-metrics.ts'
import { doors } from '../doors.ts'
import { code, codeList, table } from '../markdown.ts'
import type { Regions } from '../regions.ts'

/** The generated regions of the page of the control plane. */
export const controlPlaneRegions: Regions = { operations: operationTable, metrics: metricTable }

async function operationTable(): Promise<string> {
  return table(
    ['over HTTP', 'what it does', 'command line', 'library'],
    (await doors()).map(({ route, about, verbs, member }) => [
      code(route.replaceAll(/:(\w+)/g, '{$1}')),
      about,
      codeList(verbs),
      member === '' ? '' : code(member),
    ]),
  )
}

function metricTable(): string {
  return table(
    ['metric', 'type', 'labels', 'what it is'],
    sandboxMetrics.map(({ name, type, labels = [], help }) => [code(name), type, codeList(labels), help]),
  )
}
