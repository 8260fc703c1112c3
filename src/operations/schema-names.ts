// The names of the JSON Schemas that editors can use.

export const schemaNames = ['fixtures', 'scenario', 'webhooks'] as const
export type SchemaName = (typeof schemaNames)[number]
