// The effect `error`: an error that the operation declares, by its type.
import { z } from 'zod'
import { errorsEverywhere, errorTypes } from '../../contract/errors.ts'
import { effect } from '../effect.ts'

export const error = effect({
  name: 'error',
  noun: 'error',
  help: 'Ends the call with an error that the operation declares, by its type, with the status that the assumptions set.',
  schema: z.enum(errorTypes, { error: 'must be an error type' }),
  extra: { message: z.string('must be a text') },
  misfit(type, endpoint) {
    const declared = [...endpoint.errors.map((own) => own.type), ...errorsEverywhere]
    if (endpoint.scope !== undefined) declared.push('FORBIDDEN_ERROR')
    return declared.includes(type)
      ? undefined
      : `${endpoint.id} does not declare ${type}, expected one of: ${[...new Set(declared)].join(', ')}`
  },
  apply(type, call, _context, { message }) {
    call.end({ kind: 'error', type, ...(message === undefined ? {} : { message }) })
  },
})
