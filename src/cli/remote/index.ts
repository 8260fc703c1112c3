// The verbs for a running sandbox, each a thin client of its control plane, and loaded when it is called.
import type { Operation } from '../../operations/declare.ts'
import type { Target } from '../../operations/index.ts'
import type { LazyVerb } from '../verb.ts'
import { verbsOf } from './operation-verbs.ts'

/** The verbs of operations that begin with a name. @param about of the group, if no operation has its name. */
function ofOperations(
  name: string,
  load: () => Promise<readonly Operation<Target>[]>,
  about?: string,
): LazyVerb {
  return {
    name,
    load: async () => {
      const { own, nested } = verbsOf(name, await load())
      return {
        name,
        about: '',
        ...own,
        ...(about !== undefined && { about }),
        ...(nested.length > 0 && { verbs: nested }),
      }
    },
  }
}

export const remoteVerbs: readonly LazyVerb[] = [
  { name: 'health', load: async () => (await import('./health.ts')).healthVerb },
  { name: 'coverage', load: async () => (await import('./coverage.ts')).coverageVerb },
  { name: 'explain', load: async () => (await import('./explain.ts')).explainVerb },
  { name: 'replay', load: async () => (await import('./replay.ts')).replayVerb },
  { name: 'wait', load: async () => (await import('./health.ts')).waitVerb },
  ofOperations('reset', async () => (await import('../../operations/reset.ts')).resetOperations),
  { name: 'apply', load: async () => (await import('./apply.ts')).applyVerb },
  ofOperations(
    'snapshot',
    async () => (await import('../../operations/snapshots.ts')).snapshotOperations,
    'save, compare and restore the rows of a running sandbox',
  ),
  { name: 'state', load: async () => (await import('./state.ts')).stateVerb },
  ofOperations(
    'clock',
    async () => (await import('../../operations/clock.ts')).clockOperations,
    'print or move the clock of a running sandbox',
  ),
  ofOperations(
    'simulate',
    async () => (await import('../../operations/simulation.ts')).simulationOperations,
    'simulate events that no API call causes: a transaction arrives, a statement or an account closes',
  ),
  { name: 'events', load: async () => (await import('./events.ts')).eventsVerb },
  { name: 'requests', load: async () => (await import('./requests.ts')).requestsVerb },
  ofOperations(
    'workspaces',
    async () => (await import('../../operations/workspaces.ts')).workspaceOperations,
    'list, create and delete the workspaces of a running sandbox, each with a key',
  ),
  ofOperations(
    'assumptions',
    async () => (await import('../../operations/assumptions.ts')).assumptionsOperations,
  ),
  { name: 'stop', load: async () => (await import('./stop.ts')).stopVerb },
]
