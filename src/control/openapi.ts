import type { Noun } from './define.ts'

export const openapi: Noun = {
  path: '/_sandbox/openapi.json',
  about: 'the API as an OpenAPI 3.1 document',
  shared: true,
  methods: { GET: async (verbs, c) => Response.json(await verbs.openapi(new URL(c.req.url).origin)) },
}
