// One engine for all tests that run against two sandboxes in turn.
import type { TestProject } from 'vitest/node'
import { startEngine } from './engine.ts'

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const engine = await startEngine()
  provide('engine', engine.url)
  return engine.stop
}
