// Contract points and coverage over HTTP, /_sandbox/contract and /_sandbox/coverage, in every report format.
import * as answers from './answers.ts'
import { controlError } from '../http/control-error.ts'
import { formats, isReportFormat, reportFormats } from '../coverage/reports/index.ts'
import type { Narrowing } from '../coverage/reports/narrow.ts'
import { requestedWorkspace, type ControlContext } from './context.ts'
import type { Noun } from './define.ts'

export const contract: Noun = {
  path: '/_sandbox/contract',
  answers: { GET: answers.contract },
  about: 'the contract points: what a partner can test',
  shared: true,
  forPartners: ['GET'],
  library: { GET: 'contract' },
  whyNoVerb: { GET: '`coverage --format json` prints every point' },
  methods: { GET: (verbs) => Response.json({ points: verbs.contract() }) },
}

/** All workspaces, unless the request names one. */
function workspaceOf(c: ControlContext): { workspace?: string } {
  const workspace = requestedWorkspace(c)
  return workspace === undefined ? {} : { workspace }
}

/** The points that count, separated by commas; the report validates the operations and facets. */
function narrowingOf(c: ControlContext): Narrowing {
  return { only: c.req.query('only')?.split(','), skip: c.req.query('skip')?.split(',') }
}

export const coverage: Noun = {
  ofAll: true,
  path: '/_sandbox/coverage',
  answers: { GET: answers.coverage, DELETE: answers.noContent },
  about: `which contract points were exercised; format=${reportFormats.join(', ')}; only=OPERATION,…; skip=FACET,…`,
  query: ['format', 'only', 'skip'],
  expensive: () => true,
  library: { GET: 'coverage.report', DELETE: 'coverage.clear' },
  whyNoVerb: { DELETE: '`exec` counts each run from nothing' },
  methods: {
    GET: async (verbs, c) => {
      const format = c.req.query('format') ?? 'json'
      if (!isReportFormat(format)) {
        return controlError(
          'INVALID',
          `format '${format.slice(0, 80)}': must be one of ${reportFormats.join(', ')}`,
        )
      }
      const requested = { ...workspaceOf(c), ...narrowingOf(c) }
      const text = await verbs.coverage.reportAt(new URL(c.req.url).origin, format, requested)
      return new Response(text, { headers: { 'content-type': formats[format].mediaType } })
    },
    DELETE: (verbs, c) => {
      verbs.coverage.clear(workspaceOf(c))
      return new Response(null, { status: 204 })
    },
  },
}
