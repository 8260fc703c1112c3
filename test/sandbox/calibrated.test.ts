// A sandbox that starts with what calibrate observed: which value counts, and what is said of where it comes from.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { AssumptionId } from '../../src/contract/assumptions.ts'
import type { SandboxOptions } from '../../src/options/index.ts'
import type { Problem } from '../../src/input/problems.ts'
import { createSandbox } from '../../src/sandbox/runs/join-run.ts'
import { createRunFolder, removeRunFolder, runVariable } from '../../src/sandbox/runs/run-folder.ts'
import { packageVersion } from '../../src/runtime/host.ts'
import { explanationText } from '../../src/explain/explanation-text.ts'
import { folderWith } from '../helpers/fake-io.ts'

const observed = { host: 'sandbox.example.com', at: '2026-11-22T10:00:00.000Z' }

async function calibratedFile(assume: object, version = packageVersion()): Promise<string> {
  const { host: target, at } = observed
  const path = join(await folderWith(), 'c.json')
  await writeFile(path, JSON.stringify({ calibrated: { target, at, version, package: 'x' }, assume }))
  return path
}

async function started(options: SandboxOptions, warnings: Problem[] = []) {
  const sandbox = await createSandbox(options, { onWarning: (warning) => warnings.push(warning) })
  onTestFinished(() => sandbox.close())
  const view = (id: AssumptionId) => {
    const { value, provenance, calibrated } = sandbox.assumptions().find((one) => one.id === id) ?? {}
    return { value, provenance, calibrated }
  }
  return { sandbox, view }
}

const ofDefault = { value: 404, provenance: 'default', calibrated: undefined }
const ofFile = { value: 410, provenance: 'calibrated', calibrated: observed }

describe('a value', () => {
  it.each<[string, SandboxOptions['assume'], object]>([
    ['of the file', {}, ofFile],
    ['that is set wins', { not_found_status: 400 }, { value: 400, provenance: 'set', calibrated: undefined }],
    [
      'that is set as it was observed',
      { not_found_status: 410 },
      { ...ofFile, provenance: 'set', calibrated: undefined },
    ],
  ])('%s', async (_, assume, expected) => {
    const calibrated = await calibratedFile({ not_found_status: 410 })
    const { sandbox, view } = await started({ calibrated, ...(assume && { assume }) })
    expect(view('not_found_status')).toEqual(expected)
    expect(view('create_status')).toEqual({ ...ofDefault, value: 200 })
    const headers = { authorization: `Bearer ${sandbox.apiKey}` }
    expect((await sandbox.fetch('/v2/rewards/none', { headers })).status).toBe(view('not_found_status').value)
    // In a workspace of its own it is the same.
    expect((await sandbox.workspace('w').fetch('/v2/rewards/none', { headers })).status).toBe(
      view('not_found_status').value,
    )
  })

  it('is told where an explanation, a coverage report and the OpenAPI document name it', async () => {
    const calibrated = await calibratedFile({ not_found_status: 410, unauthenticated_status: 403 })
    const { sandbox } = await started({ calibrated, assume: { unauthenticated_status: 401 } })
    const answer = await sandbox.fetch('/v2/rewards/none', {
      headers: { authorization: `Bearer ${sandbox.apiKey}` },
    })
    const explanation = sandbox.requests.explain(answer.headers.get('x-sandbox-request-id') ?? '')
    expect(explanation && explanationText(explanation)).toContain(
      'not_found_status: 410 (Which status do the not-found errors have? Calibrated: observed at sandbox.example.com, 2026-11-22T10:00:00.000Z.)',
    )
    expect((await sandbox.coverage.get()).calibrated).toEqual({ ...observed, assumptions: 1 })
    expect((await sandbox.coverage.get({ only: ['retrieveReward'] })).calibrated).toBeDefined()
    for (const format of ['text', 'html', 'junit'] as const) {
      expect(await sandbox.coverage.report(format)).toContain(
        'Calibrated: 1 assumption as observed at sandbox.example.com, 2026-11-22T10:00:00.000Z.',
      )
    }
    const views = sandbox.assumptions().map(({ used: _used, ...view }) => view)
    expect(await sandbox.openapi()).toMatchObject({ 'x-assumptions': views })
  })

  it('that follows an observed one is named so, and not counted as observed', async () => {
    const calibrated = await calibratedFile({ balance_statuses: 'AVAILABLE' })
    const { sandbox, view } = await started({ calibrated })
    expect(view('refund_reward')).toEqual({
      value: 'same_reward',
      provenance: 'calibrated',
      calibrated: observed,
    })
    expect(sandbox.assumptions().find(({ id }) => id === 'refund_reward')?.follows).toBe('balance_statuses')
    expect((await sandbox.coverage.get()).calibrated).toEqual({ ...observed, assumptions: 1 })
  })

  it('that is observed, yields to one that is set and that it does not fit', async () => {
    const calibrated = await calibratedFile({ balance_statuses: 'AVAILABLE' })
    const { sandbox, view } = await started({ calibrated, assume: { refund_reward: 'own_row' } })
    expect(view('balance_statuses')).toEqual({
      value: 'AVAILABLE-DEDUCTED',
      provenance: 'set',
      calibrated: undefined,
    })
    const answer = await sandbox.fetch('/v2/customers/cus_ada/rewards_balance', {
      headers: { authorization: `Bearer ${sandbox.apiKey}`, 'x-service-merchant-key': 'mk_summit' },
    })
    const explanation = sandbox.requests.explain(answer.headers.get('x-sandbox-request-id') ?? '')
    expect(explanation && explanationText(explanation)).toContain(
      'balance_statuses: AVAILABLE-DEDUCTED (Which rewards does the balance add up, by status? Follows refund_reward.)',
    )
  })

  it('is nowhere spoken of without a file', async () => {
    const { sandbox, view } = await started({})
    expect(view('not_found_status')).toEqual(ofDefault)
    expect(await sandbox.coverage.get()).not.toHaveProperty('calibrated')
    expect(await sandbox.coverage.report('text')).not.toContain('Calibrated')
  })
})

describe('the file', () => {
  it('of another version is used, and warned of', async () => {
    const warnings: Problem[] = []
    const { view } = await started(
      { calibrated: await calibratedFile({ not_found_status: 410 }, '0.0.1') },
      warnings,
    )
    expect(view('not_found_status')).toEqual(ofFile)
    expect(warnings.map(({ path, message }) => [path, message])).toEqual([
      [
        'calibrated.version',
        `was calibrated with version 0.0.1 of this package, and this is ${packageVersion()}, which may probe differently: run calibrate again`,
      ],
    ])
  })

  it('that holds nothing, or is not there, is refused', async () => {
    await expect(started({ calibrated: await calibratedFile({}) })).rejects.toThrow('assume: has no value')
    const both = { balance_statuses: 'AVAILABLE', refund_reward: 'own_row' }
    await expect(started({ calibrated: await calibratedFile(both) })).rejects.toThrow(
      "assume: assumption 'balance_statuses': 'AVAILABLE' does not fit refund_reward=own_row, as a refund would",
    )
    await expect(started({ calibrated: '/nowhere/c.yaml' })).rejects.toThrow('there is no such file')
  })
})

describe('a run that sandboxes join', () => {
  it.each<[string, SandboxOptions, object]>([
    ['gives its file', {}, ofFile],
    [
      'leaves a value to whoever sets it',
      { assume: { not_found_status: 400 } },
      { value: 400, provenance: 'set' },
    ],
  ])('%s', async (_, own, expected) => {
    const calibrated = await calibratedFile({ not_found_status: 410 })
    const folder = await createRunFolder({
      options: { calibrated, assume: { create_status: 200 } },
      journal: false,
    })
    vi.stubEnv(runVariable, folder)
    onTestFinished(() => (vi.unstubAllEnvs(), removeRunFolder(folder)))
    const { view } = await started(own)
    expect(view('not_found_status')).toMatchObject(expected)
    expect(view('create_status')).toEqual({ value: 200, provenance: 'set', calibrated: undefined })
  })

  it('yields a value to one that a test sets and that it does not fit', async () => {
    const folder = await createRunFolder({
      options: { assume: { balance_statuses: 'AVAILABLE' } },
      journal: false,
    })
    vi.stubEnv(runVariable, folder)
    onTestFinished(() => (vi.unstubAllEnvs(), removeRunFolder(folder)))
    const { view } = await started({ assume: { refund_reward: 'own_row' } })
    expect(view('balance_statuses')).toMatchObject({ value: 'AVAILABLE-DEDUCTED', provenance: 'set' })
    const { view: other } = await started({})
    expect(other('refund_reward')).toMatchObject({ value: 'same_reward', provenance: 'set' })
  })
})
