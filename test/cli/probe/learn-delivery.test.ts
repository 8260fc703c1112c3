// Tests of the verb calibrate with --delivery: what it prints and writes, and each refusal.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeDelivery } from '../../../src/events/delivery.ts'
import { presets } from '../../../src/events/presets/index.ts'
import { cli, folderWith } from '../../helpers/fake-io.ts'
import { harText, rawHttp } from '../../helpers/captured-deliveries.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwGJqZ0q1ZzEo='
const resource = {
  id: 'rwd_1',
  customer_id: 'cus_1',
  amount: 500,
  type: 'OFFER',
  status: 'AVAILABLE',
  created_at: '2026-11-20T08:00:00.000Z',
}
const delivery = writeDelivery(
  presets.standard,
  { id: 'evt_1', type: 'reward.updated', time: '2026-11-21T12:00:00.750Z', resource, previous: null },
  { time: Date.parse('2026-11-21T12:00:05Z'), secrets: [secret] },
)
const files = {
  'captured.http': rawHttp(delivery, { end: '\n' }),
  'captured.har': harText(delivery),
  'secret.txt': `${secret}\n`,
  'other.txt': 'whsec_bm90IHRoaXMgb25lLCBhbm90aGVy',
}
const words = ['calibrate', '--delivery', 'captured.http', '--secret-file', 'secret.txt']

const summary = `Found:
  signature: headers.webhook-signature, as base64
  signed bytes: "{event.id}.{attempt.time:unix}.{body}"
  key: hmac-sha256, secret as whsec
  id: headers.webhook-id, body.id
  type: body.type
  time of the event: body.timestamp
  time of the attempt: headers.webhook-timestamp
  resource: whole: body.data
Undecided by one delivery:
  names: only reward.updated was seen; the others are named in the same style
  signing.join, retries, success, disable_on, timeout: of the preset standard: one delivery does not show it
`

describe('calibrate --delivery', () => {
  it('writes a file for --webhooks, with the undecided parts as comments', async () => {
    const cwd = await folderWith(files)
    expect(await cli([...words, '-o', 'webhooks.yaml'], { cwd })).toEqual({
      code: 0,
      stdout: summary,
      stderr: 'Wrote the description to webhooks.yaml\n',
    })
    const text = await readFile(join(cwd, 'webhooks.yaml'), 'utf8')
    const comments = ['Learned from one delivery by calibrate --delivery.', ...summary.trimEnd().split('\n')]
    const preset = await cli(['webhooks', 'presets', 'standard'])
    expect(text).toBe(comments.map((line) => `# ${line}\n`).join('') + preset.stdout)
  })

  it('prints the description without -o, from an archive and a secret on stdin', async () => {
    const cwd = await folderWith(files)
    const argv = ['calibrate', '--delivery', 'captured.har', '--secret-file', '-']
    const { code, stdout, stderr } = await cli(argv, { cwd, stdin: secret })
    expect([code, stderr]).toEqual([0, `From entry 3 of 3.\n${summary}`])
    expect(stdout).toMatch(/^# Learned from one delivery.*\nnames: resource\.action\n/s)
  })

  it('prints JSON', async () => {
    const { code, stdout, stderr } = await cli([...words, '--format', 'json'], {
      cwd: await folderWith(files),
    })
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ description: presets.standard, preset: 'standard', others: 0 })
  })

  it('writes JSON into a file of that name', async () => {
    const cwd = await folderWith(files)
    await cli([...words, '-o', 'webhooks.json'], { cwd })
    expect(JSON.parse(await readFile(join(cwd, 'webhooks.json'), 'utf8'))).toEqual(presets.standard)
  })

  it('ends with 6 and the nearest candidate if no way to sign matches', async () => {
    const cwd = await folderWith(files)
    const argv = [
      'calibrate',
      '--delivery',
      'captured.http',
      '--secret-file',
      'other.txt',
      '-o',
      'webhooks.yaml',
    ]
    const { code, stdout, stderr } = await cli(argv, { cwd })
    expect([code, stdout]).toEqual([6, ''])
    expect(stderr.replace(/\d+ signatures/, 'N signatures')).toBe(
      'error: captured.http: no description was learned: check that the secret is that of this endpoint, and that the body has the bytes that were sent.\n' +
        'Nearest: header webhook-signature looks like base64 of 32 bytes (hmac-sha256); N signatures were computed; preset standard.\n',
    )
    await expect(readFile(join(cwd, 'webhooks.yaml'))).rejects.toThrow('ENOENT')
    const json = await cli([...argv, '--format', 'json'], { cwd })
    expect([json.code, json.stderr]).toEqual([6, ''])
    expect(JSON.parse(json.stdout)).toMatchObject({
      nearest: { header: 'webhook-signature', preset: 'standard' },
    })
  })

  it('never shows the secret', async () => {
    const cwd = await folderWith({
      ...files,
      'captured.http': files['captured.http'].replace(
        'host:',
        `x-secret-hint: ${secret}\nx-hint: ${secret}\nhost:`,
      ),
    })
    const { code, stdout, stderr } = await cli(words, { cwd })
    expect(code).toBe(0)
    expect(stdout + stderr).not.toContain(secret.slice('whsec_'.length, -1))
  })

  it.each([
    [
      'no file of a secret',
      ['--delivery', 'captured.http'],
      2,
      'error: --delivery needs --secret-file FILE\n',
    ],
    ['a secret alone', ['--secret-file', 'secret.txt'], 2, 'error: --secret-file needs --delivery FILE\n'],
    ['neither', [], 2, 'error: calibrate needs --target FILE, or --delivery FILE with --secret-file FILE\n'],
    [
      'a target',
      [...words.slice(1), '--target', 'target.yaml'],
      2,
      'error: --delivery sends nothing: omit --target\n',
    ],
    ['a plan', [...words.slice(1), '--plan'], 2, 'error: --delivery sends nothing: omit --plan\n'],
    [
      'an output that is read',
      [...words.slice(1), '-o', './secret.txt'],
      2,
      "error: --output: './secret.txt' is read by this call; name another file\n",
    ],
    [
      'an output that cannot be written',
      [...words.slice(1), '-o', 'no/webhooks.yaml'],
      2,
      "error: --output: cannot write 'no/webhooks.yaml' (there is no folder 'no')\n",
    ],
    [
      'no such delivery',
      ['--delivery', 'no.http', '--secret-file', 'secret.txt'],
      3,
      'no.http: there is no such file\n',
    ],
    [
      'no such secret',
      ['--delivery', 'captured.http', '--secret-file', 'no.txt'],
      3,
      'no.txt: there is no such file\n',
    ],
    [
      'a secret of two lines',
      ['--delivery', 'captured.http', '--secret-file', 'captured.http'],
      3,
      'captured.http: must have the secret of the endpoint in one line\n',
    ],
    [
      'a file that is no delivery',
      ['--delivery', 'secret.txt', '--secret-file', 'secret.txt'],
      3,
      'secret.txt:1: must begin with a request line, such as POST /webhooks HTTP/1.1\n',
    ],
  ])('refuses %s', async (_, argv, code, stderr) => {
    const cwd = await folderWith(files)
    expect(await cli(['calibrate', ...argv], { cwd })).toEqual({ code, stdout: '', stderr })
  })
})
