// Shared by tests of control-plane bodies.
import { expect } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { controlErrorBody } from '../helpers/control.ts'

/** Fails when `act` changes rows, workspaces or active scenarios. */
export const unchanged = async (sandbox: Sandbox, act: () => Promise<void>): Promise<void> => {
  const before = [sandbox.state.document(), sandbox.workspaces.list(), await sandbox.scenarios.active()]
  await act()
  expect([sandbox.state.document(), sandbox.workspaces.list(), await sandbox.scenarios.active()]).toEqual(
    before,
  )
}

/** The 413 body for a limit of so many bytes. */
export const tooLarge = (max: number): object =>
  controlErrorBody('PAYLOAD_TOO_LARGE', `The request body is larger than ${max} bytes.`)
