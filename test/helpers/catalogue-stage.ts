import { expect } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import {
  answered as readAnswer,
  fullKey,
  startSandbox,
  type Answered,
  type CallApi,
  type CallOptions,
} from './sandbox.ts'
import { whole, type Whole } from './catalogue-answers.ts'
import { callsOf, golden, type Sent, type World } from './catalogue-worlds.ts'

/** The steps before and after a built-in scenario that every test of one takes. */

/** A sandbox with its fixtures, and ways to call its operations. */
export interface Stage extends Sandbox {
  call: CallApi
  /** Calls an operation; what it answers is checked against the OpenAPI document. */
  ask(operation: string, options?: CallOptions): Promise<Whole>
  /** Does so without looking at the document, for answers that are not in it. */
  askUnchecked(operation: string, options?: CallOptions): Promise<Whole>
}

export async function open(world: World): Promise<Stage> {
  const sandbox = await startSandbox(world.options)
  const sent = (operation: string, more: CallOptions): [string, string, CallOptions] => {
    const [method, path, options] = callsOf(world)[operation] ?? ['GET', '/']
    return [method, path, { ...options, ...more }]
  }
  return Object.assign(sandbox, {
    ask: async (operation: string, more: CallOptions = {}) =>
      whole(await sandbox.call(...sent(operation, more))),
    askUnchecked: async (operation: string, more: CallOptions = {}) =>
      whole(await callUnchecked(sandbox, sent(operation, more))),
  })
}

/** A sandbox in which a scenario was activated just now, and these operations answered as ever before that. */
export async function armed(world: World, name: string, ...before: string[]): Promise<Stage> {
  const sandbox = await open(world)
  for (const operation of before) {
    expect(await sandbox.ask(operation)).toEqual(golden(world, operation))
    sandbox.reset()
  }
  await sandbox.scenarios.activate(name)
  return sandbox
}

/** Ends the scenario: these operations answer as ever. */
export async function expectOver(sandbox: Stage, world: World, ...after: string[]): Promise<void> {
  await sandbox.scenarios.deactivate()
  for (const operation of after) {
    expect(await sandbox.ask(operation)).toEqual(golden(world, operation))
  }
}

/** Calls without looking at the contract, which off-contract answers break. */
export async function callUnchecked(sandbox: Sandbox, [method, path, options = {}]: Sent): Promise<Answered> {
  const sent = new Headers({ authorization: `Bearer ${fullKey}`, ...options.headers })
  if (options.json !== undefined) sent.set('content-type', 'application/json')
  const body = options.json === undefined ? null : JSON.stringify(options.json)
  const response = await sandbox.fetch(path, { method, headers: sent, body })
  return readAnswer(response, await response.text())
}
