import type { WorkspaceVerbs } from '../verbs/sandbox-workspace.ts'

/** Where a workspace stands after all of it was replaced. */
export function standing({ name, state, clock }: WorkspaceVerbs): Response {
  return Response.json({ workspace: name, rows: state.size(), clock: clock.read() })
}
