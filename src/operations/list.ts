// Every operation of the sandbox, in the order of the documentation.
import { assumptionsOperations } from './assumptions.ts'
import { clockOperations } from './clock.ts'
import type { Operation } from './declare.ts'
import { differencesOperations } from './differences.ts'
import type { Target } from './index.ts'
import { resetOperations } from './reset.ts'
import { simulationOperations } from './simulation.ts'
import { snapshotOperations } from './snapshots.ts'
import { timelineOperations } from './timeline.ts'

export const operations: readonly Operation<Target>[] = [
  ...resetOperations,
  ...snapshotOperations,
  ...differencesOperations,
  ...clockOperations,
  ...simulationOperations,
  ...timelineOperations,
  ...assumptionsOperations,
]
