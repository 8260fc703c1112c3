// Every operation of the sandbox, in the order of the documentation.
import { assumptionsOperations } from './assumptions.ts'
import { clockOperations } from './clock.ts'
import { coverageOperations } from './coverage.ts'
import type { Operation } from './declare.ts'
import { differencesOperations } from './differences.ts'
import { documentOperations } from './documents.ts'
import { eventOperations } from './events.ts'
import { healthOperations } from './health.ts'
import type { Target } from './index.ts'
import { requestsOperations } from './requests.ts'
import { resetOperations } from './reset.ts'
import { scenarioOperations } from './scenarios.ts'
import { simulationOperations } from './simulation.ts'
import { snapshotOperations } from './snapshots.ts'
import { stateOperations } from './state.ts'
import { timelineOperations } from './timeline.ts'
import { webhookOperations } from './webhooks.ts'
import { workspaceOperations } from './workspaces.ts'

export const operations: readonly Operation<Target>[] = [
  ...healthOperations,
  ...stateOperations,
  ...resetOperations,
  ...snapshotOperations,
  ...differencesOperations,
  ...workspaceOperations,
  ...scenarioOperations,
  ...clockOperations,
  ...simulationOperations,
  ...eventOperations,
  ...webhookOperations,
  ...requestsOperations,
  ...timelineOperations,
  ...coverageOperations,
  ...assumptionsOperations,
  ...documentOperations,
]
