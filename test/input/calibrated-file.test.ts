// The file that calibrate writes, as a sandbox reads it: its values, and every problem at its place.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { otherVersion, readCalibrated } from '../../src/input/calibrated-file.ts'
import { DocumentError } from '../../src/input/problems.ts'
import { folderWith } from '../helpers/fake-io.ts'

const head =
  'calibrated: {target: sandbox.example.com, at: 2026-11-22T10:00:00.000Z, version: 1.0.0, package: x}\n'

const read = async (text: string, file = 'c.yaml') =>
  readCalibrated(join(await folderWith({ [file]: text }), file), file)

async function refused(text: string): Promise<string> {
  const error = await read(text).catch((thrown: unknown) => thrown)
  if (!(error instanceof DocumentError)) throw new Error('it was read')
  return error.problems
    .map(({ source, line, column, path, message }) => `${source}:${line}:${column} ${path}: ${message}`)
    .join('\n')
}

describe('a calibrated file', () => {
  it('gives the values that were observed, where and when, as YAML and as JSON', async () => {
    const observations = { not_found_status: { verdict: 'observed' } }
    const assume = { not_found_status: 410, customers_order: 'id' }
    const calibrated = {
      target: 'sandbox.example.com',
      at: '2026-11-22T10:00:00.000Z',
      version: '1.0.0',
      package: 'x',
    }
    const document = { calibrated, assume, observations, partial: false, requests: { planned: 1, sent: 1 } }
    const expected = { host: calibrated.target, at: calibrated.at, version: '1.0.0', assume, observations }
    expect(await read(JSON.stringify(document), 'c.json')).toMatchObject(expected)
    expect(
      await read(`${head}assume: {not_found_status: 410, customers_order: id}\nx-mine: 1\n`),
    ).toMatchObject({
      ...expected,
      observations: {},
    })
  })

  it.each<[string, string, string]>([
    [
      'an unknown id',
      `${head}assume:\n  not_found_statu: 404\n`,
      "c.yaml:3:3 assume.not_found_statu: unknown assumption 'not_found_statu', did you mean 'not_found_status'?",
    ],
    [
      'an unknown value',
      `${head}assume:\n  not_found_status: 418\n`,
      "c.yaml:3:21 assume.not_found_status: assumption 'not_found_status': unknown value '418', expected one of: 404, 400, 410",
    ],
    [
      'a number out of its range',
      `${head}assume:\n  default_page_size: 0\n`,
      "c.yaml:3:22 assume.default_page_size: assumption 'default_page_size': '0' is not an integer from 1 to 100",
    ],
    ['no value', `${head}assume: {}\n`, 'c.yaml:2:9 assume: has no value, as nothing was observed'],
    ['no assume', `${head}observations: {}\n`, 'c.yaml:1:1 assume: has no value, as nothing was observed'],
    ['no head', 'assume: {not_found_status: 404}\n', 'c.yaml:1:1 calibrated: is required'],
    [
      'a bad date',
      `${head.replace('2026-11-22T10:00:00.000Z', 'today')}assume: {not_found_status: 404}\n`,
      'c.yaml:1:47 calibrated.at: must be an RFC 3339 date-time',
    ],
    ['a list', '- 1\n', 'c.yaml:1:1 : must be a file that calibrate wrote'],
    ['a value that is no value', `${head}assume: {not_found_status: [404]}\n`, 'must be a text or a number'],
  ])('%s -> refused at its place', async (_, text, problem) => {
    expect(await refused(text)).toContain(problem)
  })

  it('is read as far as a start needs it, wherever that stands', async () => {
    const [assume, observations] = ['assume: {not_found_status: 410}\n', 'observations:\n  a: [\n']
    expect(await read(head + assume + observations)).toMatchObject({
      assume: { not_found_status: 410 },
      observations: {},
    })
    await expect(read(head + observations + assume)).rejects.toThrow(DocumentError)
    expect(await read(`${head}observations: {a: 1}\n${assume}`)).toMatchObject({
      assume: { not_found_status: 410 },
      observations: { a: 1 },
    })
  })

  it('tells all problems at once', async () => {
    expect((await refused(`${head}assume: {a: 1, not_found_status: 1}\n`)).split('\n')).toHaveLength(2)
  })

  it('of another version is warned of at its place', async () => {
    const file = await read(`${head}assume: {not_found_status: 404}\n`)
    expect(otherVersion(file, '1.0.0')).toBeUndefined()
    expect(otherVersion(file, '1.1.0')).toMatchObject({
      source: 'c.yaml',
      line: 1,
      column: 82,
      path: 'calibrated.version',
      message:
        'was calibrated with version 1.0.0 of this package, and this is 1.1.0, which may probe differently: run calibrate again',
    })
  })
})
