// Completes an answered call: applies the effects of scenarios after the answer, and adds the common headers.
import { addCorsHeaders } from './cors.ts'
import { httpDate } from './http-date.ts'
import { answerFailure, requestIdOf } from './run-stages.ts'
import { afterScenarios } from './scenarios/after-scenarios.ts'
import type { ServedCall } from './served-call.ts'

/** Applies the effects that scenarios have after the stages have answered. */
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
