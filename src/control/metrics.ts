// The metrics of this process over HTTP: GET /_sandbox/metrics.
import { metricsMediaType } from '../metrics/metric-text.ts'
import type { Noun } from './define.ts'

export const metrics: Noun = {
  path: '/_sandbox/metrics',
  about: 'numbers of this process for Prometheus: calls, durations, workspaces, rows, journal, store, memory',
  shared: true,
  library: { GET: 'metrics' },
  whyNoVerb: { GET: 'it is for Prometheus, which sends the request itself' },
  methods: {
    GET: async (verbs) =>
      new Response(await verbs.metrics(), { headers: { 'content-type': metricsMediaType } }),
  },
}
