// The views of the page, in the order in which they are listed.
import type { FC } from 'hono/jsx'
import { Assumptions } from './views/assumptions.tsx'
import { ClockView } from './views/clock.tsx'
import { CoverageView } from './views/coverage.tsx'
import { EventsView } from './views/events.tsx'
import { Requests } from './views/requests.tsx'
import { Scenarios } from './views/scenarios.tsx'
import { Simulate } from './views/simulate.tsx'
import { StateView } from './views/state.tsx'
import { Workspaces } from './views/workspaces.tsx'

export interface View {
  /** The first part of its address. */
  path: string
  name: string
  View: FC
  /** It needs a running sandbox, so a trace does not list it. */
  isLiveOnly?: true
}

export const views: readonly View[] = [
  { path: 'requests', name: 'Requests', View: Requests },
  { path: 'state', name: 'State', View: StateView },
  { path: 'events', name: 'Events', View: EventsView, isLiveOnly: true },
  { path: 'scenarios', name: 'Scenarios', View: Scenarios },
  { path: 'clock', name: 'Clock', View: ClockView },
  { path: 'simulate', name: 'Simulate', View: Simulate, isLiveOnly: true },
  { path: 'coverage', name: 'Coverage', View: CoverageView },
  { path: 'assumptions', name: 'Assumptions', View: Assumptions },
  { path: 'workspaces', name: 'Workspaces', View: Workspaces },
]
