import { resolveAssumptions } from '../../../src/input/resolve-assumptions.ts'
import { isInForce, type DeclaredError } from '../../../src/endpoints/define.ts'

/** The assumption and value without which an error does not occur, where the default is another one. */
export function neededFor(error: DeclaredError): DeclaredError['when'] {
  return isInForce(error, resolveAssumptions()) ? undefined : error.when
}
