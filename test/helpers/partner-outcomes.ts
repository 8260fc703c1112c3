// The outcome of an attack of one partner on another: it is refused, and does not reveal whether the other exists.
import { expect } from 'vitest'
import { resources } from '../../src/control/index.ts'
import type { Target, Try } from './partner-tries.ts'
import { ask, bearer, canary, viewsOfRows, wholeOf, type Told, type World } from './partners.ts'

/** Everything of the victim, its copy, and default, which only the operator sees. */
export async function victimsState({ there, beta }: World): Promise<unknown> {
  // A call without a usable key is in the journal of default: only the operator sees it, and it has no owner.
  const byDefault = await wholeOf(there, 'default', { views: viewsOfRows })
  return { beta: await wholeOf(there, 'beta', { copy: beta.copy }), byDefault }
}

/** Attacks the victim and an unknown workspace: both are refused, with equal answers. */
export async function expectRefused(one: Try, world: World, victim: Target, stranger: Target): Promise<void> {
  const reported = [await one.run(world, victim)].flat()
  const unknownReported = [await one.run(world, stranger)].flat()
  const statuses = [one.status].flat()
  expect(reported.length).toBeGreaterThan(0)
  for (const { status, text } of reported) expect(statuses, text).toContain(status)
  expect(reported.map((answer) => alike(answer, victim))).toEqual(
    unknownReported.map((answer) => alike(answer, stranger)),
  )
}

/** Asks as `acme` for a view that every partner has: it shows nothing of `beta`. */
export async function expectOwnView(path: string, { here, acme, beta }: World): Promise<void> {
  const operation = resources
    .flatMap(({ operations }) => operations)
    .find(({ route }) => route === `GET ${path}`)
  const { status, text, headers } = await ask(here, 'GET', path, bearer(acme.admin_token))
  const isClosed = operation?.of === 'sandbox' && operation.partners !== true
  expect(status).toBe(isClosed ? 403 : 200)
  const reported = text + JSON.stringify(headers)
  const secrets = [canary, ...[beta.api_key, beta.admin_token, beta.made.key].map((all) => all.split('.')[0])]
  expect(secrets.filter((secret) => reported.includes(secret ?? ''))).toEqual([])
  // The page that a trace is has many words in it.
  if (path !== '/_sandbox/trace') expect(reported).not.toMatch(/\bbeta\b/)
}

/** An answer without what differs each time, and without what the attacker sent itself. */
function alike({ status, headers, text }: Told, { name, mark }: Target): unknown {
  const plain = (value: string): string =>
    value
      .replaceAll(mark, 'MARK')
      .replaceAll(name, 'NAME')
      .replaceAll(name.toUpperCase(), 'NAME')
      .replace(/req_[\w-]+_\d+/g, 'REQUEST')
  const { 'x-sandbox-commit': _version, ...others } = headers
  const shown = Object.entries(others).map(([header, value]) => [header, plain(value)])
  return { status, headers: shown, text: plain(text) }
}
