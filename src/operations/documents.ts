// Descriptions of a sandbox in the formats of other programs: OpenAPI, JSON Schemas, metrics, a trace.
import { z } from 'zod'
import { metricsMediaType } from '../metrics/metric-text.ts'
import { operation } from './declare.ts'
import { schemaNames, type SchemaName } from './schema-names.ts'

interface DocumentsTarget {
  sandbox: {
    openapi(serverUrl?: string, options?: { sandbox?: boolean; control?: boolean }): Promise<object>
    schema(name: SchemaName): Promise<object>
    metrics(): Promise<string>
  }
  workspace: { trace(): Promise<string> }
}

export const documentOperations = [
  operation({
    id: 'trace',
    route: 'GET /_sandbox/trace',
    about: 'write the calls of the workspace as one HTML file: the inspector with its data',
    result: z.string(),
    media: 'text/html; charset=utf-8',
    headers: {
      'content-disposition': 'attachment; filename="trace.html"',
      'x-content-type-options': 'nosniff',
    },
    expensive: true,
    run: ({ workspace }: DocumentsTarget) => workspace.trace(),
  }),
  operation({
    id: 'metrics',
    route: 'GET /_sandbox/metrics',
    about:
      'show numbers of this process for Prometheus: calls, durations, workspaces, rows, journal, store, memory',
    of: 'sandbox',
    result: z.string(),
    media: metricsMediaType,
    run: ({ sandbox }: DocumentsTarget) => sandbox.metrics(),
  }),
  operation({
    id: 'openapi',
    route: 'GET /_sandbox/openapi.json',
    about: 'show the API as an OpenAPI 3.1 document',
    of: 'sandbox',
    partners: true,
    guard: 'pages',
    query: z.strictObject({
      sandbox: z
        .boolean('must be true or false')
        .optional()
        .describe('add the headers of the sandbox, such as x-sandbox-scenario, to those of the API'),
    }),
    result: z.looseObject({}),
    expensive: true,
    run: ({ sandbox }: DocumentsTarget, { query }, { origin }) =>
      sandbox.openapi(origin, { sandbox: query.sandbox === true }),
  }),
  operation({
    id: 'openapi',
    route: 'GET /_sandbox/openapi-control.json',
    about: 'show the control plane as an OpenAPI 3.1 document',
    of: 'sandbox',
    partners: true,
    result: z.looseObject({}),
    expensive: true,
    run: ({ sandbox }: DocumentsTarget, _input, { origin }) => sandbox.openapi(origin, { control: true }),
  }),
  // One path for each kind of file, so that an unknown one is an unknown path.
  ...schemaNames.map((name) =>
    operation({
      id: 'schema',
      route: `GET /_sandbox/schemas/${name}.json`,
      about: `show the JSON Schema of ${name} files, for editors`,
      of: 'sandbox',
      partners: true,
      result: z.looseObject({}),
      run: ({ sandbox }: DocumentsTarget) => sandbox.schema(name),
    }),
  ),
]
