// Completes an answered call: what scenarios do after the answer, and the headers that every answer has.
import { addCorsHeaders } from './cors.ts'
import { httpDate } from './http-date.ts'
import { answerFailure, requestIdOf } from './run-stages.ts'
import { afterScenarios } from './scenarios/after-scenarios.ts'
import type { ServedCall } from './served-call.ts'

/** What scenarios do once the stages have answered a call. */
export function applyAfterEffects(call: ServedCall): void {
  try {
    if (call.resolution.plan) afterScenarios(call)
  } catch (error) {
    answerFailure(error, call)
  }
}

/** Adds the headers that every answer has. */
export function complete(call: ServedCall): void {
  const { outcome, resolution, workspace } = call
  requestIdOf(call)
  outcome.complete(resolution.version, resolution.restsOn.text, httpDate(workspace.clock.now()))
  addCorsHeaders(call)
}
