import { figure as scenarioEngine } from './c01-scenario-engine.mjs'
import { figure as journalCoverage } from './c02-journal-coverage.mjs'
import { creating as watchedCreating, reading as watchedReading } from './c03-watching.mjs'
import { cpuOfReceivers, p99OfReceivers } from './c04-receivers.mjs'
import { figure as withoutEndpoint } from './e01-no-endpoint.mjs'
import { paced, underLoad } from './e02-deliveries.mjs'
import { cpu as endpointCpu, p99 as endpointP99 } from './e03-with-endpoint.mjs'
import { figure as readReward } from './p01-read-reward.mjs'
import { figure as mixedWork } from './p02-mixed-work.mjs'
import { figure as createIntent } from './p03-create-intent.mjs'
import { figure as searchCustomer } from './p04-search-customer.mjs'
import { firstStart, laterStart } from './p05-cold-start.mjs'
import { figure as coldStartRows } from './p06-cold-start-rows.mjs'
import { figure as forkReset } from './p07-fork-reset.mjs'
import { figure as rows } from './p08-rows.mjs'
import { figure as durableCreate } from './p09-durable-create.mjs'
import { afterCreates, afterStart } from './p10-memory.mjs'
import { figure as workspaces } from './p11-workspaces.mjs'
import { figure as packageSize } from './p12-package.mjs'
import { figure as npx } from './p13-npx.mjs'
import { figure as inProcess } from './p14-in-process.mjs'
import { figure as latency } from './p15-latency.mjs'
import { creating as sharedCreating, reading as sharedReading } from './s01-shared-calls.mjs'
import { figure as engineMemory } from './s02-engine-memory.mjs'
import { figure as catchUp } from './s03-catch-up.mjs'
import { figure as firstCall } from './u01-first-call.mjs'
import { figure as testFile } from './u02-test-file.mjs'
import { figure as thousandTests } from './u03-thousand-tests.mjs'

/**
 * Every figure, in the order of the table. A new one is a file with a record like the others, a line here, and
 * one in budget.mjs if something is asked of it.
 * @type {readonly import('../index.mjs').Figure[]}
 */
export const figures = [
  readReward,
  mixedWork,
  createIntent,
  searchCustomer,
  firstStart,
  laterStart,
  coldStartRows,
  forkReset,
  rows,
  durableCreate,
  afterStart,
  afterCreates,
  workspaces,
  packageSize,
  npx,
  inProcess,
  latency,
  scenarioEngine,
  journalCoverage,
  watchedReading,
  watchedCreating,
  cpuOfReceivers,
  p99OfReceivers,
  withoutEndpoint,
  paced,
  underLoad,
  endpointCpu,
  endpointP99,
  sharedReading,
  sharedCreating,
  engineMemory,
  catchUp,
  firstCall,
  testFile,
  thousandTests,
]
