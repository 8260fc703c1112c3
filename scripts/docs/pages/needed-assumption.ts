import { resolveAssumptions } from '../../../src/input/resolve-assumptions.ts'
import { isInForce, type DeclaredError } from '../../../src/endpoints/define.ts'

/** Returns the assumption and the value that an error requires, if the default is another value. */
export function neededFor(error: DeclaredError): DeclaredError['when'] {
  return isInForce(error, resolveAssumptions()) ? undefined : error.when
}
