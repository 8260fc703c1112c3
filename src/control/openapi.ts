// The documents that describe API and files: OpenAPI, JSON Schemas.
import * as answers from './answers.ts'
import { schemaNames } from '../operations/index.ts'
import { flagOf, type Noun } from './define.ts'

export const openapi: Noun = {
  path: '/_sandbox/openapi.json',
  answers: { GET: answers.anyJson },
  about: 'the API as an OpenAPI 3.1 document; with sandbox=true, the headers of the sandbox as well',
  query: ['sandbox'],
  shared: true,
  forPartners: ['GET'],
  library: { GET: 'openapi' },
  forPages: true,
  expensive: () => true,
  methods: {
    GET: async (verbs, c) => {
      const sandbox = flagOf(c, 'sandbox')
      return Response.json(await verbs.openapi(new URL(c.req.url).origin, { sandbox }))
    },
  },
}

/** One resource per kind of file, so that an unknown one is an unknown path. */
export const schemas: readonly Noun[] = schemaNames.map((name) => ({
  path: `/_sandbox/schemas/${name}.json`,
  answers: { GET: answers.anyJson },
  about: `the JSON Schema of ${name} files, for editors`,
  shared: true,
  forPartners: ['GET'],
  library: { GET: 'schema' },
  methods: { GET: async (verbs) => Response.json(await verbs.schema(name)) },
}))
