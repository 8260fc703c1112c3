import { chmod, readFile, writeFile } from 'node:fs/promises'
import { request, type RequestOptions } from 'node:https'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serverCertificate } from '../../../src/runtime/certificates.ts'
import { userId } from '../../../src/runtime/host.ts'
import { createSandbox } from '../../../src/sandbox/index.ts'
import { folderWith } from '../../helpers/fake-io.ts'
import { bin, launch, started } from '../../helpers/processes.ts'

const made = serverCertificate(['localhost', '127.0.0.1'], Date.now(), Buffer.alloc(16, 7))
const key = 'Bearer sk_sandbox_full'

/** Calls over https with the certificate checked; the error's code without an answer. */
function call(url: string, ca: string, options: RequestOptions = {}): Promise<number | string> {
  return new Promise((resolve) => {
    const headers = { authorization: key, ...options.headers }
    const sent = request(url, { ca, agent: false, ...options, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', (error) => resolve('code' in error ? String(error.code) : error.message)).end()
  })
}

const reward = '/v2/rewards/rwd_ada_pending'

/** Runs a verb to its end. */
async function verb(args: readonly string[], env: Record<string, string> = {}) {
  const child = launch([bin, ...args], { env })
  return { code: await child.ended, out: child.out(), err: child.err() }
}

/** A folder for certificates that does not exist yet. */
const newFolder = async (): Promise<string> => join(await folderWith(), 'certificates')

describe('start --tls self-signed', () => {
  it('serves https only, for its names, to clients that trust its authority', async () => {
    const folder = await newFolder()
    const tls = ['--tls', 'self-signed', '--tls-dir', folder, '--tls-host', 'api.provider.example']
    const { url, port, errUntil } = await started(tls)
    const ca = await readFile(join(folder, 'ca.pem'), 'utf8')
    expect(url).toBe(`https://127.0.0.1:${port}`)
    expect(await errUntil(/Certificate authority.*\n/)).toContain(
      `Certificate authority for clients: ${folder}/ca.pem (NODE_EXTRA_CA_CERTS, curl --cacert)\n`,
    )
    expect(await call(url + reward, ca)).toBe(200)
    expect(await call(`https://localhost:${port}${reward}`, ca)).toBe(200)
    const asProvider = { servername: 'api.provider.example', headers: { host: 'api.provider.example' } }
    expect(await call(url + reward, ca, asProvider)).toBe(200)
    expect(await call(url + reward, ca, { servername: 'other.example' })).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
    expect(await call(url + reward, made.ca)).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
    await expect(fetch(`http://127.0.0.1:${port}${reward}`)).rejects.toThrow('fetch failed')
  })

  it('keeps its certificate, and makes another one for more names', async () => {
    const folder = await newFolder()
    const authorityAfter = async (...hosts: string[]): Promise<string> => {
      const names = hosts.flatMap((host) => ['--tls-host', host])
      const sandbox = await started(['--tls', 'self-signed', '--tls-dir', folder, ...names])
      sandbox.process.kill('SIGTERM')
      await sandbox.ended
      return readFile(join(folder, 'ca.pem'), 'utf8')
    }
    const first = await authorityAfter('a.example')
    expect(await authorityAfter()).toBe(first)
    expect(await authorityAfter('a.example')).toBe(first)
    expect(await authorityAfter('b.example')).not.toBe(first)
    await writeFile(join(folder, 'server.pem'), 'damaged')
    expect(await authorityAfter()).toMatch(/^-----BEGIN CERTIFICATE-----\n/)
  })

  it.each([[[]], [['b.example', 'a.example']]])(
    'by default it is kept in the temporary directory, for each set of names: %j',
    async (hosts) => {
      const temporary = await folderWith()
      const names = hosts.flatMap((host) => ['--tls-host', host])
      const { errUntil } = await started(['--tls', 'self-signed', ...names], { env: { TMPDIR: temporary } })
      const folder = ['partner-rewards-sandbox-tls', userId(), ...hosts.toSorted()].join('-')
      expect(await errUntil(/Certificate authority.*\n/)).toContain(`: ${temporary}/${folder}/ca.pem (`)
    },
  )

  it('several starts at the same time -> one certificate', async () => {
    const folder = await newFolder()
    const starts = Array.from({ length: 3 }, () => started(['--tls', 'self-signed', '--tls-dir', folder]))
    const sandboxes = await Promise.all(starts)
    const ca = await readFile(join(folder, 'ca.pem'), 'utf8')
    for (const { url } of sandboxes) expect(await call(url + reward, ca)).toBe(200)
  })

  it('resets a connection by a scenario, and goes on', async () => {
    const folder = await newFolder()
    const { url } = await started(['--tls', 'self-signed', '--tls-dir', folder])
    const ca = await readFile(join(folder, 'ca.pem'), 'utf8')
    const headers = { 'x-sandbox-scenario': 'reset' }
    expect(await call(url + reward, ca, { headers })).toBe('ECONNRESET')
    expect(await call(url + reward, ca)).toBe(200)
  })

  it('verbs reach it by SANDBOX_CA_FILE, or by the options of start', async () => {
    const folder = await newFolder()
    const { url, port } = await started(['--tls', 'self-signed', '--tls-dir', folder])
    const ca = { SANDBOX_CA_FILE: join(folder, 'ca.pem') }
    const options = { SANDBOX_TLS: 'self-signed', SANDBOX_TLS_DIR: folder, SANDBOX_PORT: String(port) }
    expect(await verb(['health', '--url', url], ca)).toMatchObject({ code: 0 })
    expect(await verb(['state', 'get', 'customers', 'cus_ada', '--url', url], ca)).toMatchObject({ code: 0 })
    expect(await verb(['health'], options)).toMatchObject({ code: 0 })
    const refused = await verb(['health', '--url', url])
    expect(refused).toMatchObject({ code: 7 })
    expect(refused.err).toContain(
      '(UNABLE_TO_VERIFY_LEAF_SIGNATURE: set SANDBOX_CA_FILE to the file of its authority)',
    )
    const missing = await verb(['health', '--url', url], { SANDBOX_CA_FILE: '/no/ca.pem' })
    expect(missing).toMatchObject({
      code: 3,
      err: "error: SANDBOX_CA_FILE: '/no/ca.pem' there is no such file\n",
    })
  })

  it('verbs do not read SANDBOX_CA_FILE for http', async () => {
    const { url } = await started()
    expect(await verb(['health', '--url', url], { SANDBOX_CA_FILE: '/no/ca.pem' })).toMatchObject({ code: 0 })
  })

  it('exec -> the command trusts it, and what it trusted before', async () => {
    const folder = await newFolder()
    const own = await folderWith({ 'own.pem': made.ca })
    const script = `
      const answer = await fetch(process.env.SANDBOX_URL + '${reward}', {
        headers: { authorization: 'Bearer ' + process.env.SANDBOX_API_KEY },
      })
      const { readFileSync } = await import('node:fs')
      const text = (name) => readFileSync(process.env[name], 'utf8')
      const names = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE']
      const ours = text('SANDBOX_CA_FILE')
      const theirs = readFileSync('${own}/own.pem', 'utf8')
      const trusts = names.map((name) => [text(name).includes(ours), text(name).includes(theirs)])
      console.log(JSON.stringify({ status: answer.status, trusts }))`
    const tls = ['--tls', 'self-signed', '--tls-dir', folder]
    const command = [process.execPath, '--input-type=module', '--eval', script]
    const env = Object.fromEntries(
      ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'CURL_CA_BUNDLE'].map((name) => [name, `${own}/own.pem`]),
    )
    const { code, out } = await verb(['exec', ...tls, '--', ...command], env)
    expect(code).toBe(0)
    const trusts = [
      [true, true],
      [true, true],
      [true, false],
      [true, true],
    ]
    expect(JSON.parse(out)).toEqual({ status: 200, trusts })
  })

  it('start --detach prints the URL', async () => {
    const folder = await newFolder()
    const { code, out } = await verb([
      'start',
      '--detach',
      '--port',
      '0',
      '--tls',
      'self-signed',
      '--tls-dir',
      folder,
    ])
    expect(code).toBe(0)
    const [, url = ''] = /^Sandbox listening on (https:\S+)\n/.exec(out) ?? []
    expect(await verb(['stop', '--url', url], { SANDBOX_CA_FILE: join(folder, 'ca.pem') })).toMatchObject({
      code: 0,
    })
  })

  it('a folder that cannot be made -> exit 2', async () => {
    const folder = await folderWith({ file: '' })
    expect(await verb(['start', '--tls', 'self-signed', '--tls-dir', `${folder}/file/inner`])).toMatchObject({
      code: 2,
      err: `error: --tls-dir: cannot use '${folder}/file/inner' (ENOTDIR)\n`,
    })
  })

  it('exec without a folder for temporary files -> exit 2', async () => {
    const folder = await newFolder()
    const words = ['exec', '--tls', 'self-signed', '--tls-dir', folder, '--', 'true']
    const refused = await verb(words, { TMPDIR: '/no/such' })
    expect(refused.code).toBe(2)
    expect(refused.err).toContain(
      'error: cannot create a folder in /no/such (ENOENT): set TMPDIR to a writable folder\n',
    )
  })

  it('a folder that others may read -> exit 2', async () => {
    const folder = await folderWith()
    await chmod(folder, 0o755)
    expect(await verb(['start', '--tls', 'self-signed', '--tls-dir', folder])).toMatchObject({
      code: 2,
      err: `error: --tls-dir: '${folder}' must belong to you, and others must not have access: chmod 700 it, or name another folder\n`,
    })
  })
})

describe('start --tls-cert --tls-key', () => {
  it('serves https with them', async () => {
    const folder = await folderWith({ 'cert.pem': made.cert, 'key.pem': made.key })
    const { url, port } = await started([
      '--tls-cert',
      `${folder}/cert.pem`,
      '--tls-key',
      `${folder}/key.pem`,
    ])
    expect(url).toBe(`https://127.0.0.1:${port}`)
    expect(await call(url + reward, made.ca)).toBe(200)
  })

  const other = serverCertificate(['localhost'], Date.now(), Buffer.alloc(16, 8))
  it.each<[string, string, string, number, string]>([
    [
      'a key of another certificate',
      made.cert,
      other.key,
      3,
      'cannot be used: the key is not that of the certificate\n',
    ],
    ['no certificate', 'hello', made.key, 3, 'cannot be used: expected PEM, the key without a password ('],
    ['no key', made.cert, 'hello', 3, 'cannot be used: expected PEM, the key without a password ('],
  ])('%s -> exit %4$i with the reason', async (_, cert, pem, code, reason) => {
    const folder = await folderWith()
    await writeFile(`${folder}/cert.pem`, cert)
    await writeFile(`${folder}/key.pem`, pem)
    const files = ['--tls-cert', `${folder}/cert.pem`, '--tls-key', `${folder}/key.pem`]
    const refused = await verb(['start', ...files])
    expect(refused.code).toBe(code)
    expect(refused.err).toContain(
      `error: --tls-cert '${folder}/cert.pem' and --tls-key '${folder}/key.pem' ${reason}`,
    )
  })

  it.each<[readonly string[], string, number]>([
    [['--tls-cert', '/no/cert.pem'], '--tls-cert and --tls-key belong together: set both', 2],
    [
      ['--tls-cert', '/no/c.pem', '--tls-key', '/no/k.pem'],
      "--tls-cert: '/no/c.pem' there is no such file",
      3,
    ],
    [
      ['--tls', 'self-signed', '--tls-cert', '/c.pem'],
      '--tls self-signed makes a certificate: omit it to use --tls-cert and --tls-key',
      2,
    ],
    [
      ['--tls-host', 'a.example'],
      '--tls-host is for a certificate that the sandbox makes: add --tls self-signed',
      2,
    ],
    [
      ['--tls-dir', '/tmp'],
      '--tls-dir is for a certificate that the sandbox makes: add --tls self-signed',
      2,
    ],
    [
      ['--tls', 'self-signed', '--tls-host', 'a.example:443'],
      "--tls-host: 'a.example:443' must be a host name without a port, such as api.provider.example, or an address",
      2,
    ],
  ])('%j -> %s', async (args, message, code) => {
    expect(await verb(['start', ...args])).toMatchObject({ code, err: `error: ${message}\n` })
  })
})

it('sandbox.listen({ tls }) serves https', async () => {
  await using sandbox = await createSandbox()
  const { url } = await sandbox.listen({ tls: { cert: made.cert, key: Buffer.from(made.key) } })
  expect(url).toMatch(/^https:/)
  expect(await call(url + reward, made.ca)).toBe(200)
  await expect(sandbox.listen({ tls: { ...made, key: 'hello' } })).rejects.toThrow()
})
