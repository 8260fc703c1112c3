// The data file of a sandbox, taken if the options name one; what that needs is loaded for nobody else.
import { resolve } from 'node:path'
import type { Assumptions } from '../contract/assumptions.ts'
import { defaultSeed, type Settings } from '../options/index.ts'
import { shownPath, systemHost } from '../runtime/host.ts'
import type { OpenData } from '../persistence/open-data.ts'
import type { SandboxEvents } from './events.ts'

export async function openDataOf(
  settings: Settings,
  assumptions: Assumptions,
  events: SandboxEvents,
): Promise<OpenData | undefined> {
  const { data, durability, recover, seed } = settings
  if (data === undefined) return undefined
  const { openData } = await import('../persistence/open-data.ts')
  const { cwd, pid } = systemHost()
  const path = resolve(cwd, data)
  const name = shownPath(path, cwd)
  const onNotice = (line: string): void => events.onNotice?.(line)
  const opened = await openData({
    path,
    name,
    durability,
    recover,
    pid,
    assumptions,
    seed,
    defaultSeed,
    onNotice,
    ...(events.signal ? { signal: events.signal } : {}),
  })
  if (opened.kept && (settings.fixtures.length > 0 || settings.generate)) {
    onNotice(
      `${name} is there and used; the fixtures are what a reset returns to, and other workspaces begin with`,
    )
  }
  return opened
}
