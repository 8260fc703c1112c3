// The preset `thin`: like `standard`, with only the id of the resource in the body.
import { standard } from './standard.ts'

export const thin = { ...standard, body: { ...standard.body, data: { id: '{resource.id}' } } } as const
