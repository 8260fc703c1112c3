// Case 143: a scenario that needs `latest` is refused in production where it is armed (contract: Versioning 5, 8).
import { expect, it } from 'vitest'
import { createSandbox, DocumentError, UnusableScenarioError } from '../../src/index.ts'
import { askControl } from '../helpers/control.ts'
import { cli } from '../helpers/fake-io.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const why = (name: string): string =>
  `scenario '${name}' needs version latest, which production does not have: omit it, or start with --environment sandbox`

const needing = ['version-latest-preview', 'new-enum-values-latest']
const environment = 'production'

/** A scenario of one's own. */
const own = (rule: object): object => ({
  name: 'own',
  description: 'x',
  rules: [{ on: '*', effect: 'unsupported_version' }, rule],
})

it.each(needing)('case 143: %s at the start of the command line -> exit 3', async (name) => {
  const { code, stdout, stderr } = await cli([
    'start',
    '--port',
    '0',
    '--environment',
    'production',
    '--scenario',
    name,
  ])
  expect([code, stdout]).toEqual([3, ''])
  expect(stderr).toContain(`scenarios/${name}.yaml: ${why(name)}\n`)
})

it.each(needing)('case 143: %s in the library, the control plane and the header', async (name) => {
  await expect(createSandbox({ environment, scenarios: [name] })).rejects.toThrow(DocumentError)
  const sandbox = await startSandbox({ environment })
  const key = 'sk_production_full'
  await expect(sandbox.scenarios.activate('unavailable', name)).rejects.toThrow(
    new UnusableScenarioError(name, environment),
  )
  const armed = await askControl(sandbox, 'PUT', '/scenarios/active', ['unavailable', name])
  expect([armed.status, armed.json]).toEqual([400, { error: { type: 'INVALID', message: why(name) } }])
  expect(await sandbox.scenarios.active()).toEqual([])

  const answer = await sandbox.call('GET', '/v2/rewards/rwd_ada_pending', {
    key,
    headers: { 'x-sandbox-scenario': name },
  })
  expect([answer.status, answer.version, answer.json]).toEqual([
    400,
    '2025-05-05',
    { error: { type: 'BAD_REQUEST_ERROR', message: `x-sandbox-scenario: ${why(name)}` } },
  ])
  expect((await sandbox.call('GET', '/v2/rewards/rwd_ada_pending', { key })).status).toBe(200)

  const made = await askControl(sandbox, 'POST', '/workspaces', { name: 'w1', scenarios: [name] })
  expect([made.status, made.json.error.details[0]]).toEqual([
    400,
    { source: 'workspace', path: 'scenarios[0]', message: why(name) },
  ])
  // An API key arms it, too.
  const put = await askControl(sandbox, 'PATCH', '/state/api_keys/key_production_full', { scenarios: [name] })
  expect([put.status, put.json.error.details?.[0].message]).toEqual([400, why(name)])
})

it('case 143: a document whose API key names one is refused', async () => {
  const api_keys = [
    { id: 'key_1', environment: 'production' as const, scenarios: ['version-latest-preview'] },
  ]
  await expect(createSandbox({ environment, fixtures: { api_keys } })).rejects.toThrow(
    why('version-latest-preview'),
  )
})

it.each<[string, object, boolean]>([
  ['only latest is left', { on: '*', effect: { unsupported_version: { supported: ['latest'] } } }, true],
  [
    'latest is one of those that are left',
    { on: '*', effect: { unsupported_version: { supported: ['2026-10-13', 'latest'] } } },
    false,
  ],
  ['no version is left', { on: '*', effect: { unsupported_version: { supported: [] } } }, false],
  [
    'it is for calls of latest',
    { on: '*', when: { headers: { 'X-Service-Version': 'latest' } }, effect: 'unauthenticated' },
    true,
  ],
  [
    'it is for calls of a released version',
    { on: '*', when: { headers: { 'x-service-version': '2*' } }, effect: 'unauthenticated' },
    false,
  ],
  ['it adds values of enums', { on: '*', effect: [{ latency: 1 }, { rewrite: 'new_enum_values' }] }, true],
  ['it rewrites otherwise', { on: '*', effect: { rewrite: 'unknown_fields' } }, false],
])('case 143: one of its rules: %s -> refused %s', async (_what, rule, isRefused) => {
  const inProduction = await startSandbox({ environment: 'production' })
  // Registering arms nothing.
  await inProduction.scenarios.register(own(rule))
  const arming = inProduction.scenarios.activate('own')
  if (isRefused) await expect(arming).rejects.toThrow(why('own'))
  else expect(await arming).toEqual(['own'])
  const inSandbox = await startSandbox()
  await inSandbox.scenarios.register(own(rule))
  expect(await inSandbox.scenarios.activate('own')).toEqual(['own'])
})

it('case 143: an active scenario is not replaced by one that needs latest', async () => {
  const sandbox = await startSandbox({ environment: 'production' })
  await sandbox.scenarios.register(own({ on: '*', effect: 'unauthenticated' }))
  await sandbox.scenarios.activate('own')
  const another = own({ on: '*', effect: { rewrite: 'new_enum_values' } })
  await expect(sandbox.scenarios.register(another)).rejects.toThrow(why('own'))
})
