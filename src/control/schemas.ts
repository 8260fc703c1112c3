import { schemaNames } from '../verbs/index.ts'
import type { Noun } from './define.ts'

/** One noun per kind of file, so that an unknown one is an unknown path. */
export const schemas: readonly Noun[] = schemaNames.map((name) => ({
  path: `/_sandbox/schemas/${name}.json`,
  about: `the JSON Schema of ${name} files, for editors`,
  shared: true,
  methods: { GET: async (verbs) => Response.json(await verbs.schema(name)) },
}))
