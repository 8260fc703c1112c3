// What becomes of a try of one partner on another: it is refused, and tells nothing, not even whether there is the other.
import { expect } from 'vitest'
import { nouns } from '../../src/control/index.ts'
import type { Target, Try } from './partner-tries.ts'
import { ask, bearer, canary, wholeOf, type Told, type World } from './partners.ts'

/** All of the victim, its copy, and default, which nobody but whoever runs the sandbox sees. */
export async function victimsState({ there, beta }: World): Promise<unknown> {
  const byDefault = (await wholeOf(there, 'default')) as Record<string, unknown>
  // A call without a usable key is listed there: nobody else sees it, and it is of nobody.
  const {
    'default/requests': _calls,
    'default/coverage': _points,
    'default/assumptions': _used,
    ...rest
  } = byDefault
  return { beta: await wholeOf(there, 'beta', beta.copy), byDefault: rest }
}

/** Does it to the victim and to somebody who is not there: both are refused, and nothing tells them apart. */
export async function expectRefused(one: Try, world: World, victim: Target, nobody: Target): Promise<void> {
  const told = [await one.run(world, victim)].flat()
  const toldOfNobody = [await one.run(world, nobody)].flat()
  const statuses = [one.status].flat()
  expect(told.length).toBeGreaterThan(0)
  for (const { status, text } of told) expect(statuses, text).toContain(status)
  expect(told.map((answer) => alike(answer, victim))).toEqual(
    toldOfNobody.map((answer) => alike(answer, nobody)),
  )
}

/** Asks as `acme` for a view that every partner has: it shows nothing of `beta`. */
export async function expectOwnView(path: string, { here, acme, beta }: World): Promise<void> {
  const noun = nouns.find((one) => one.path === path)
  const { status, text, headers } = await ask(here, 'GET', path, bearer(acme.admin_token))
  const isClosed = noun?.shared === true && noun.forPartners === undefined
  expect(status).toBe(isClosed ? 403 : 200)
  const told = text + JSON.stringify(headers)
  const secrets = [canary, ...[beta.api_key, beta.admin_token, beta.made.key].map((all) => all.split('.')[0])]
  expect(secrets.filter((secret) => told.includes(secret ?? ''))).toEqual([])
  // The page that a trace is has many words in it.
  if (path !== '/_sandbox/trace') expect(told).not.toMatch(/\bbeta\b/)
}

/** An answer without what differs each time, and without what the attacker sent itself. */
function alike({ status, headers, text }: Told, { name, mark }: Target): unknown {
  const plain = (given: string): string =>
    given
      .replaceAll(mark, 'MARK')
      .replaceAll(name, 'NAME')
      .replaceAll(name.toUpperCase(), 'NAME')
      .replace(/req_[\w-]+_\d+/g, 'REQUEST')
  const { 'x-sandbox-commit': _version, ...others } = headers
  const shown = Object.entries(others).map(([header, value]) => [header, plain(value)])
  return { status, headers: shown, text: plain(text) }
}
