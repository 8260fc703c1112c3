import { controlError } from '../http/control-error.ts'
import { DocumentError } from '../seed/problems.ts'
import type { ControlContext } from './define.ts'

/** A body as JSON, or the answer that says what is wrong with it. */
export async function readJson(c: ControlContext): Promise<{ value: unknown } | { refusal: Response }> {
  const text = await c.req.text()
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { refusal: controlError('INVALID', 'The body must be JSON.') }
  }
}

/** Runs a verb; what it refuses becomes the answer of the control plane. */
export async function refusing(run: () => Promise<Response>): Promise<Response> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof DocumentError) {
      return controlError('INVALID', error.message, { details: error.problems })
    }
    if (error instanceof RangeError) return controlError('INVALID', error.message)
    throw error
  }
}
