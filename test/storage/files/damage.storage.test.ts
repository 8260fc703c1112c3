import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DamagedError } from '../../../src/workspaces/storage.ts'
import { fileMedium, type FileMedium } from '../../helpers/file-processes.ts'
import { documentOf, readable } from '../core/storage.contract.ts'

const about = JSON.stringify({ text: 'known' })
const delta = (at: number): string => JSON.stringify({ at })
const document = 'acme.json'

/** A folder with `acme`: a checkpoint after two deltas, log 3 with deltas 3 and 4, log 4 of a second process with 5 and 6. */
async function written(): Promise<FileMedium> {
  const medium = await fileMedium('folder')
  const first = await medium.start()
  await first.storage.open('acme', about)
  await first.storage.checkpoint('acme', documentOf('one'), about)
  for (const at of [1, 2]) await first.storage.append('acme', delta(at))
  await first.storage.checkpoint('acme', documentOf('two'), about)
  for (const at of [3, 4]) await first.storage.append('acme', delta(at))
  await first.crash()
  const second = await medium.start()
  await second.storage.open('acme', about)
  for (const at of [5, 6]) await second.storage.append('acme', delta(at))
  await second.storage.close()
  return medium
}

const contents = ({ folder, path }: FileMedium): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file !== '.lock')
      .map((file) => [file, readFileSync(path(file), 'latin1')]),
  )

/** Opens the workspace in a new process. */
async function open(medium: FileMedium): Promise<ReturnType<typeof readable>> {
  const { storage } = await medium.start()
  try {
    return readable(await storage.open('acme', about))
  } finally {
    await storage.close()
  }
}

const deltas = (...all: number[]): object[] => all.map((at) => ({ at }))

type Change = (medium: FileMedium) => unknown

const edit =
  (file: string, change: (text: string) => string): Change =>
  ({ path }) =>
    writeFileSync(path(file), change(readFileSync(path(file), 'latin1')), 'latin1')
const remove =
  (...files: string[]): Change =>
  ({ path }) =>
    files.forEach((file) => rmSync(path(file)))

/** Changes one character of a line, counted from 1. */
const flip = (line: number) => (text: string) =>
  text
    .split('\n')
    .map((one, at) => (at === line - 1 ? one.replace(/.$/, '!') : one))
    .join('\n')
const byte = (file: string, { path }: FileMedium, line: number): number =>
  readFileSync(path(file), 'latin1')
    .split('\n')
    .slice(0, line - 1)
    .join('\n').length + 1

it('the files of a workspace are as the tests of damage expect, and only their owner may read them', async () => {
  const medium = await written()
  expect(readdirSync(medium.folder).toSorted()).toEqual([
    'acme.2.log',
    'acme.3.log',
    'acme.json',
    'acme.json.previous',
  ])
  for (const file of readdirSync(medium.folder)) expect(statSync(medium.path(file)).mode & 0o777).toBe(0o600)
  expect(readFileSync(medium.path(document), 'utf8')).toMatch(
    /"sandbox": \{"seed":1,"about":\{"text":"known"\},"log":2,"seq":2,"checksum":"[0-9a-f]{8}"\}\n\}\n$/,
  )
  const lines = readFileSync(medium.path('acme.3.log'), 'utf8').split('\n')
  expect(lines.map((line) => line.slice(9))).toEqual([
    '{"format":1,"generation":3,"after":4}',
    '{"seq":5,"delta":{"at":5}}',
    '{"seq":6,"delta":{"at":6}}',
    '',
  ])
  expect(await open(medium)).toEqual({ document: 'two', deltas: deltas(3, 4, 5, 6) })
})

it('opening and releasing change no file', async () => {
  const medium = await written()
  const before = contents(medium)
  const { storage, steps } = await medium.start()
  await storage.open('acme', about)
  await storage.release('acme')
  expect([steps, contents(medium)]).toEqual([[], before])
})

describe('what a crash or a former owner leaves is no damage', () => {
  const all = { document: 'two', deltas: deltas(3, 4, 5, 6) }
  const withoutLast = { document: 'two', deltas: deltas(3, 4, 5) }
  it.each<[situation: string, change: Change, expected: object]>([
    [
      'a last line without its end',
      ({ path }) => truncateSync(path('acme.3.log'), statSync(path('acme.3.log')).size - 1),
      withoutLast,
    ],
    [
      'half of a last line',
      ({ path }) => truncateSync(path('acme.3.log'), statSync(path('acme.3.log')).size - 20),
      withoutLast,
    ],
    [
      'zeros in place of a part of the last line',
      edit('acme.3.log', (text) => text.replace('"at":6', '\0\0\0\0\0\0')),
      withoutLast,
    ],
    ['zeros after the last line', edit('acme.3.log', (text) => text + '\0'.repeat(500)), all],
    [
      'a whole line of a former owner',
      edit('acme.2.log', (text) => `${text}12345678 {"seq":5,"delta":{"at":"late"}}\n`),
      all,
    ],
    ['half a line of a former owner', edit('acme.2.log', (text) => `${text}1234`), all],
    ['a log from before the checkpoint', ({ path }) => writeFileSync(path('acme.1.log'), 'x'), all],
    ['no previous checkpoint', remove('acme.json.previous'), all],
  ])('%s', async (_situation, change, expected) => {
    const medium = await written()
    await change(medium)
    expect(await open(medium)).toEqual(expected)
    // A third process continues behind it.
    const third = await medium.start()
    await third.storage.open('acme', about)
    await third.storage.append('acme', delta(7))
    await third.crash()
    const { deltas: before } = expected as { deltas: object[] }
    expect(await open(medium)).toEqual({ ...expected, deltas: [...before, { at: 7 }] })
  })
})

describe('damage is refused with the file, the position and the next step', () => {
  it.each<[situation: string, change: Change, message: (medium: FileMedium) => string]>([
    [
      'a wrong line in an older log',
      edit('acme.2.log', flip(2)),
      (m) =>
        `acme.2.log:2: is damaged at byte ${byte('acme.2.log', m, 2)}: the checksum of the line is wrong`,
    ],
    [
      'a wrong line before the last one',
      edit('acme.3.log', flip(2)),
      (m) =>
        `acme.3.log:2: is damaged at byte ${byte('acme.3.log', m, 2)}: the checksum of the line is wrong`,
    ],
    [
      'a wrong last line with its end',
      edit('acme.3.log', flip(3)),
      (m) =>
        `acme.3.log:3: is damaged at byte ${byte('acme.3.log', m, 3)}: the checksum of the line is wrong`,
    ],
    [
      'a wrong header',
      edit('acme.3.log', flip(1)),
      () => 'acme.3.log:1: is damaged at byte 0: the checksum of the line is wrong',
    ],
    [
      'an older log without its last line',
      edit('acme.2.log', (text) => text.replace(/[^\n]+\n$/, '')),
      (m) =>
        `acme.2.log:3: ends at byte ${statSync(m.path('acme.2.log')).size} with delta 3, but the next log continues after 4`,
    ],
    [
      'a missing line',
      edit('acme.3.log', (text) => text.split('\n').toSpliced(1, 1).join('\n')),
      (m) => `acme.3.log:2: continues at byte ${byte('acme.3.log', m, 2)} with delta 6, but 5 comes next`,
    ],
    [
      'a log under the name of another',
      ({ path }) => writeFileSync(path('acme.3.log'), readFileSync(path('acme.2.log'))),
      () => 'acme.3.log:1: is log 2 of a workspace, and has the name of log 3',
    ],
    [
      'no log',
      remove('acme.2.log', 'acme.3.log'),
      () => 'acme.2.log: does not exist, and the document needs it',
    ],
    ['no first log', remove('acme.2.log'), () => 'acme.2.log: does not exist, and the document needs it'],
    [
      'a changed document',
      edit(document, (text) => text.replace('two', 'six')),
      (m) =>
        `acme.json: has a wrong checksum at byte ${readFileSync(m.path(document), 'latin1').indexOf(',"about"')}: it was changed or damaged. If you edited it, delete its last member "checksum"`,
    ],
    [
      'a truncated document',
      edit(document, (text) => text.slice(0, 30)),
      () => 'acme.json: is not JSON: the error is at character 30',
    ],
    [
      'an empty document',
      edit(document, () => ''),
      () => 'acme.json: is not JSON: the error is at character 0',
    ],
    ['no document', remove(document), () => 'acme.json: does not exist, but the checkpoint before it does'],
    [
      'a document of an earlier version',
      edit(document, (text) => text.replace(/,"about".*"seq":2/, '')),
      () => 'acme.json: was written by an earlier version, which this one cannot read',
    ],
    [
      'another document',
      edit(document, () => documentOf('other').join('')),
      () => 'acme.2.log: has changes to another document',
    ],
  ])('%s', async (_situation, change, message) => {
    const medium = await written()
    await change(medium)
    const before = contents(medium)
    const process = await medium.start()
    const refused = await process.storage.open('acme', about).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(DamagedError)
    const { message: text } = refused as DamagedError
    const json = medium.path(document)
    const previous =
      before['acme.json.previous'] === undefined ? '' : ` The checkpoint before is ${json}.previous.`
    expect(text).toBe(
      `${medium.folder}/${message(medium)}. Nothing was changed.${previous} Put back ${json} and its logs from one backup, ` +
        'or move them away to begin with an empty workspace. To use a document without the changes in its logs, ' +
        'delete the logs, and the members "log" and "checksum" at its end',
    )
    expect([process.storage.health.damaged.get('acme'), process.storage.owns('acme')]).toEqual([text, false])
    expect([contents(medium), process.events, process.steps]).toEqual([before, [], []])
    // Others are well.
    expect(readable(await process.storage.open('zoe', about))).toEqual({ document: undefined, deltas: [] })
    await process.storage.append('zoe', delta(1))
  })
})

describe('a person edits a document', () => {
  const unsealed = (text: string): string => text.replace(/,"checksum":"\w+"/, '')
  it.each<[situation: string, change: Change, expected: object, about: string]>([
    [
      'without its checksum',
      edit(document, (text) => unsealed(text).replace('two', 'six')),
      { document: 'six', deltas: deltas(3, 4, 5, 6) },
      about,
    ],
    [
      'with other white space',
      edit(document, (text) => JSON.stringify(JSON.parse(unsealed(text)), null, 4)),
      { document: 'two', deltas: deltas(3, 4, 5, 6) },
      about,
    ],
    [
      'as the message about damage says',
      async (medium) => {
        await edit(document, (text) => unsealed(text).replace('"log":2,', ''))(medium)
        remove('acme.2.log', 'acme.3.log')(medium)
      },
      { document: 'two', deltas: [] },
      about,
    ],
    [
      'and writes it anew, without logs',
      async (medium) => {
        await edit(document, () => documentOf('own').join(''))(medium)
        remove('acme.2.log', 'acme.3.log')(medium)
      },
      { document: 'own', deltas: [] },
      '{}',
    ],
  ])('%s -> it is used, listed, and continued', async (_situation, change, expected, known) => {
    const medium = await written()
    await change(medium)
    const process = await medium.start()
    expect(await process.storage.list()).toMatchObject([{ name: 'acme', about: known }])
    expect(readable(await process.storage.open('acme', about))).toEqual(expected)
    for (const at of [7, 8]) await process.storage.append('acme', delta(at), about)
    await process.crash()
    const { deltas: before } = expected as { deltas: object[] }
    expect(await open(medium)).toEqual({ ...expected, deltas: [...before, { at: 7 }, { at: 8 }] })
    const last = await medium.start()
    expect(await last.storage.list()).toMatchObject([{ name: 'acme', about }])
    await last.storage.open('acme', about)
    await last.storage.checkpoint('acme', documentOf('sealed'), about)
    await last.crash()
    expect(await open(medium)).toEqual({ document: 'sealed', deltas: [] })
  })
})

it.each<[situation: string, change: Change, damage: RegExp]>([
  ['a truncated document', edit(document, (text) => text.slice(0, 30)), /^is not JSON/],
  ['a damaged header of a newer log', edit('acme.3.log', flip(1)), /^is damaged at byte 0/],
  ['no document', remove(document), /^does not exist, but the checkpoint before it does/],
])('%s -> the list says that it is damaged', async (_situation, change, damage) => {
  const medium = await written()
  await change(medium)
  const { storage } = await medium.start()
  expect(await storage.list()).toEqual([
    {
      name: 'acme',
      about: '{}',
      usedAt: expect.any(Number) as number,
      damage: expect.stringMatching(damage) as string,
    },
  ])
  expect([...storage.health.damaged.keys()]).toEqual(['acme'])
})

it('a lost log is put back while the sandbox runs -> the workspace opens', async () => {
  const medium = await written()
  const text = readFileSync(medium.path('acme.2.log'))
  remove('acme.2.log')(medium)
  const { storage } = await medium.start()
  await expect(storage.open('acme', about)).rejects.toBeInstanceOf(DamagedError)
  writeFileSync(medium.path('acme.2.log'), text)
  expect(readable(await storage.open('acme', about))).toEqual({ document: 'two', deltas: deltas(3, 4, 5, 6) })
  expect(storage.health.damaged.size).toBe(0)
})
