// Every operation of the sandbox, in the order of the documentation.
import { clockOperations } from './clock.ts'
import type { Operation } from './declare.ts'
import type { Target } from './index.ts'

export const operations: readonly Operation<Target>[] = [...clockOperations]
