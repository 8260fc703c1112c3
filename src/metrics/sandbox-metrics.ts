// The metrics of a sandbox: each with its help text and the source of its value.
import { residentMemory } from '../runtime/host.ts'
import type { EventLoopDelay } from '../runtime/event-loop-delay.ts'
import { metricText, numberText, type Metric, type Sample } from './metric-text.ts'
import type { RequestMetrics } from './request-metrics.ts'

/** The sources of the values. */
export interface MetricSources {
  requests: RequestMetrics
  workspaces: readonly { state: { rows: number }; journal: { size: number; bytes: number } }[]
  /** Figures of a store; none without one. */
  store: Readonly<Record<string, number>>
  eventLoop: EventLoopDelay
}

interface DeclaredMetric extends Omit<Metric, 'samples'> {
  labels?: readonly string[]
  read: (sources: MetricSources) => number | Iterable<Sample>
}

/** Every metric, in the order of output. Each describes its own process. */
export const sandboxMetrics: readonly DeclaredMetric[] = [
  {
    name: 'sandbox_requests_total',
    type: 'counter',
    labels: ['operation', 'status_class'],
    help: 'Calls of the API by operation id (stub: answered by a stub; unmatched: no endpoint has the path and method) and class of the status (lost: the client received none, or not all of the body).',
    *read({ requests }) {
      for (const { operation, statusClass, count } of requests.callsByStatus()) {
        yield { labels: { operation, status_class: statusClass }, value: count }
      }
    },
  },
  {
    name: 'sandbox_request_duration_seconds',
    type: 'histogram',
    labels: ['le'],
    help: 'From a call of the API to its answer, including the latency that scenarios add.',
    *read({ requests }) {
      const { buckets, sum, count } = requests.durations()
      for (const bucket of buckets) {
        yield { nameSuffix: '_bucket', labels: { le: numberText(bucket.upTo) }, value: bucket.count }
      }
      yield { nameSuffix: '_sum', value: sum }
      yield { nameSuffix: '_count', value: count }
    },
  },
  {
    name: 'sandbox_workspaces',
    type: 'gauge',
    help: 'Workspaces that this process has in memory, default included.',
    read: ({ workspaces }) => workspaces.length,
  },
  {
    name: 'sandbox_rows',
    type: 'gauge',
    help: 'Rows, summed over workspaces: a row that workspaces share in memory counts in each.',
    read: ({ workspaces }) => sumOf(workspaces, ({ state }) => state.rows),
  },
  {
    name: 'sandbox_journal_entries',
    type: 'gauge',
    help: 'Calls that the journals in this process hold, summed over workspaces.',
    read: ({ workspaces }) => sumOf(workspaces, ({ journal }) => journal.size),
  },
  {
    name: 'sandbox_journal_bytes',
    type: 'gauge',
    help: 'Approximate memory of those calls in bytes.',
    read: ({ workspaces }) => sumOf(workspaces, ({ journal }) => journal.bytes),
  },
  {
    name: 'sandbox_store_round_trips_total',
    type: 'counter',
    help: 'Scripts that were sent to the store; 0 without --store.',
    read: ({ store }) => store['roundTrips'] ?? 0,
  },
  {
    name: 'sandbox_store_owned_workspaces',
    type: 'gauge',
    help: 'Workspaces of the store that this process owns; 0 without --store.',
    read: ({ store }) => store['owned'] ?? 0,
  },
  {
    name: 'sandbox_store_lost_workspaces_total',
    type: 'counter',
    help: 'Workspaces that this process lost without releasing them, as after an outage of the store; 0 without --store.',
    read: ({ store }) => store['lost'] ?? 0,
  },
  {
    name: 'sandbox_event_loop_delay_seconds',
    type: 'summary',
    labels: ['quantile'],
    help: 'Event loop lag: quantiles since the previous read, sum and count since the first read, which starts the measurement.',
    *read({ eventLoop }) {
      const reading = eventLoop.read()
      for (const { quantile, seconds } of reading.quantiles) {
        yield { labels: { quantile: String(quantile) }, value: seconds }
      }
      yield { nameSuffix: '_sum', value: reading.sum }
      yield { nameSuffix: '_count', value: reading.count }
    },
  },
  {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    help: 'Resident memory of the process.',
    read: residentMemory,
  },
]

/** Returns all metrics in the Prometheus text format. */
export function metricsText(sources: MetricSources): string {
  return sandboxMetrics
    .map(({ name, type, help, read }) => {
      const value = read(sources)
      return metricText({ name, type, help, samples: typeof value === 'number' ? [{ value }] : value })
    })
    .join('')
}

function sumOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
