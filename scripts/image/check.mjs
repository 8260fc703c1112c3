// Builds the image and runs it as pipelines do, with docker or podman, whichever works on this machine:
//   node scripts/image/check.mjs [--pull]
// Without --pull it does not access an image registry. If the base image is missing, it builds a stand-in.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runEventsCompose } from './compose-events.mjs'
import { composeProgram, runCompose } from './compose.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(here))
const base = { name: 'docker.io/library/node:24-slim', version: '24.21.0' }
const image = 'partner-rewards-sandbox:check'
const folder = mkdtempSync(join(tmpdir(), 'sandbox-image-'))
const key = { authorization: 'Bearer sk_sandbox_full' }

process.env.CONTAINERS_CONF ??= join(here, 'containers.conf')
const engine = ['docker', 'podman'].find(
  (name) => spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0,
)
if (engine === undefined) {
  console.error('image: neither docker nor podman works here; nothing was checked')
  process.exit(2)
}

/** Returns the stdout of the engine. It throws if the engine fails. */
const run = (...args) =>
  execFileSync(engine, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
/** Returns the exit code and the output of a container, also if it fails. */
const once = (...args) => {
  const { status, stdout, stderr } = spawnSync(engine, ['run', '--rm', ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

function build(context = root, tag = image) {
  const isThere = spawnSync(engine, ['image', 'inspect', base.name], { stdio: 'ignore' }).status === 0
  const isPulled = process.argv.includes('--pull')
  if (!isThere && !isPulled) {
    console.log(`building a stand-in for ${base.name}: its contents and size differ from the real image`)
    execFileSync(join(here, 'base.sh'), [engine, base.version, base.name], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  const own =
    engine === 'podman'
      ? [`--pull=${isPulled ? 'missing' : 'never'}`, '--network=host', '--format=docker']
      : []
  const began = performance.now()
  const built = spawnSync(engine, ['build', ...own, '-t', tag, context], { encoding: 'utf8' })
  if (built.status !== 0) throw new Error(`${engine} build failed:\n${built.stdout}${built.stderr}`)
  console.log(`built with ${engine} in ${seconds(began)}`)
}

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(2)} s`
const containers = []

/** Starts a container and waits until its health check succeeds. */
async function start(options, { port = 4010, words = [], tag = image } = {}) {
  const began = performance.now()
  const id = run('run', '-d', '-p', `127.0.0.1::${port}`, ...options, tag, ...words)
  containers.push(id)
  const address = run('port', id, `${port}/tcp`).split('\n')[0]
  const url = `http://${address}`
  const get = async (path, headers = {}) => {
    const answer = await fetch(`${url}${path}`, { headers })
    return { status: answer.status, body: await answer.json() }
  }
  const isWell = async () => (await get('/_sandbox/health').catch(() => undefined))?.status === 200
  while (!(await isWell())) {
    const [state, logs] = [run('inspect', '-f', '{{.State.Running}}', id), () => logsOf(id)]
    if (state !== 'true' || performance.now() - began > 20_000)
      throw new Error(`it did not start:\n${logs().stderr}`)
    await new Promise((resume) => setTimeout(resume, 25))
  }
  return { id, url, get, readyAfter: seconds(began) }
}

function logsOf(id) {
  const { stdout, stderr } = spawnSync(engine, ['logs', id], { encoding: 'utf8' })
  return { stdout, stderr }
}

/** Stops a container as an orchestrator does. */
function stop({ id }) {
  const began = performance.now()
  run('stop', '-t', '10', id)
  const took = performance.now() - began
  const code = Number(run('inspect', '-f', '{{.State.ExitCode}}', id))
  assert.deepEqual(
    { code, isInTime: took < 3_000 },
    { code: 0, isInTime: true },
    `stopped in ${took} ms with ${code}`,
  )
  return `${(took / 1000).toFixed(2)} s`
}

/** Runs the health check of the image as the engine does. */
const isHealthy = ({ id }) => spawnSync(engine, ['exec', id, 'node', '/app/dist/bin.cjs', 'health']).status

const checks = {
  async 'zero arguments: it serves, and stops on SIGTERM as PID 1'() {
    const container = await start([])
    const { status } = await container.get('/v2/customers?partner_customer_id=partner-ada', key)
    const admin = await container.get('/_sandbox/state')
    assert.deepEqual([status, admin.status, admin.body.error.type], [200, 403, 'FORBIDDEN'])
    assert.match(admin.body.error.message, /--admin-token/)
    assert.equal(logsOf(container.id).stdout, 'Sandbox listening on http://0.0.0.0:4010\n')
    assert.equal(isHealthy(container), 0)
    return `ready after ${container.readyAfter}, stopped in ${stop(container)}`
  },

  'the image: a user that is not root, one port, our own health check, no sources'() {
    const config = JSON.parse(run('image', 'inspect', image))[0].Config
    assert.equal(config.User, '1000:1000')
    assert.deepEqual(Object.keys(config.ExposedPorts), ['4010/tcp'])
    const healthcheck = config.Healthcheck ?? JSON.parse(run('image', 'inspect', image))[0].Healthcheck
    assert.deepEqual(healthcheck.Test, ['CMD', 'node', '/app/dist/bin.cjs', 'health'])
    const { stdout } = once('--entrypoint', '/bin/ls', image, '/app')
    assert.deepEqual(stdout.trim().split(/\s+/), [
      'AGENTS.md',
      'LICENSE',
      'dist',
      'fixtures',
      'package.json',
      'scenarios',
    ])
  },

  async 'a read-only root file system, no capabilities, any user'() {
    for (const user of ['12345:0', '65534:65534']) {
      const container = await start([
        '--read-only',
        '--cap-drop=ALL',
        '--security-opt=no-new-privileges',
        '--user',
        user,
      ])
      assert.equal(run('exec', container.id, 'id', '-u'), user.split(':')[0])
      assert.equal((await container.get('/v2/rewards/rwd_ada_pending', key)).status, 200)
      assert.equal(isHealthy(container), 0)
      stop(container)
    }
  },

  async 'everything by environment; the health check follows the port'() {
    const set = {
      SANDBOX_PORT: '4999',
      SANDBOX_ADMIN_TOKEN: 'secret-token',
      SANDBOX_SCENARIO: 'unavailable',
      SANDBOX_CLOCK: '2026-01-01T00:00:00Z',
      SANDBOX_OPTIONS: '--frozen --assume not_found_status=404',
      SANDBOX_LOG_FORMAT: 'json',
    }
    const container = await start(
      Object.entries(set).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
      { port: 4999 },
    )
    assert.equal(isHealthy(container), 0)
    assert.equal((await container.get('/v2/rewards/rwd_ada_pending', key)).status, 503)
    assert.equal((await container.get('/_sandbox/clock')).status, 401)
    const clock = await container.get('/_sandbox/clock', { authorization: 'Bearer secret-token' })
    assert.deepEqual(clock.body, { now: '2026-01-01T00:00:00.000Z', frozen: true })
    assert.equal(JSON.parse(logsOf(container.id).stdout).event, 'listening')
    stop(container)
  },

  async 'mounted fixtures, scenarios and config are used'() {
    const mounted = join(folder, 'mounted')
    for (const name of ['fixtures', 'scenarios']) mkdirSync(join(mounted, name), { recursive: true })
    writeFileSync(join(mounted, 'fixtures/mine.yaml'), 'customers: [{ id: cus_mine }]\n')
    writeFileSync(
      join(mounted, 'sandbox.config.yaml'),
      'clock: 2026-02-03T04:05:06Z\nfrozen: true\nadmin: open\n',
    )
    writeFileSync(
      join(mounted, 'scenarios/teapot.yaml'),
      "name: teapot\ndescription: Short and stout.\nrules: [{ on: '*', effect: { respond: { status: 418, body: {} } } }]\n",
    )
    const container = await start(['-v', `${mounted}:/sandbox:ro`])
    const path = '/v2/customers/cus_mine/rewards_balance'
    assert.equal((await container.get(path, key)).status, 200)
    assert.equal((await container.get(path, { ...key, 'x-sandbox-scenario': 'teapot' })).status, 418)
    assert.equal((await container.get('/_sandbox/clock')).body.now, '2026-02-03T04:05:06.000Z')
    stop(container)

    writeFileSync(join(mounted, 'fixtures/mine.yaml'), 'customers: [{ id: cus_mine, nickname: x }]\n')
    const refused = once('-v', `${mounted}:/sandbox:ro`, image)
    assert.equal(refused.status, 3)
    assert.match(refused.stderr, /fixtures\/mine\.yaml:1:29 customers\[0\]\.nickname: /)
  },

  async 'a data file on a volume survives the container'() {
    const data = join(folder, 'data')
    mkdirSync(data)
    chmodSync(data, 0o777)
    const options = ['-v', `${data}:/data`, '-e', 'SANDBOX_DATA=/data/state.json', '--read-only']
    const first = await start(options)
    const made = await fetch(`${first.url}/v2/transaction_intents`, {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json' },
      body: JSON.stringify({ customer_id: 'cus_ada', amount: 100, currency: 'USD' }),
    })
    const { id } = await made.json()
    stop(first)
    assert.equal(statSync(join(data, 'state.json')).mode & 0o777, 0o600)
    const second = await start(options)
    assert.equal((await second.get(`/v2/transaction_intents/${id}`, key)).status, 200)
    stop(second)
  },

  async 'SIGTERM while a call hangs: exit 0 in time all the same'() {
    const container = await start(['-e', 'SANDBOX_SCENARIO=hang'])
    const hanging = fetch(`${container.url}/v2/rewards/rwd_ada_pending`, { headers: key }).catch(() => 'cut')
    const took = stop(container)
    assert.equal(await hanging, 'cut')
    return `stopped in ${took}`
  },

  async 'the two commands of the README, as a user who installed the package runs them'() {
    const [, buildTag, context, options, runTag] =
      /^docker build -t (\S+) (\S+) .*\ndocker run --rm -p 4010:4010 (.+) (\S+)$/m.exec(
        readFileSync(join(root, 'README.md'), 'utf8'),
      ) ?? []
    assert.deepEqual([context, runTag], ['node_modules/partner-rewards-sandbox', buildTag])
    const project = join(folder, 'readme')
    mkdirSync(join(project, 'sandbox/fixtures'), { recursive: true })
    writeFileSync(join(project, 'sandbox/fixtures/mine.yaml'), 'customers: [{ id: cus_mine }]\n')
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', project]
    const tarball = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim()
    mkdirSync(join(project, context), { recursive: true })
    execFileSync('tar', ['-xzf', tarball, '-C', context, '--strip-components=1'], { cwd: project })
    const tag = `${buildTag}:readme`
    build(join(project, context), tag)
    const words = options.replaceAll('"', '').replaceAll('$PWD', project).split(' ')
    const container = await start(words, { tag })
    const { status } = await container.get('/v2/customers/cus_mine/rewards_balance', key)
    const closed = await container.get('/_sandbox/clock')
    const open = await container.get('/_sandbox/clock', { authorization: 'Bearer secret' })
    assert.deepEqual([status, closed.status, open.status], [200, 401, 200])
    stop(container)
    spawnSync(engine, ['rmi', '-f', tag], { stdio: 'ignore' })
  },

  'the other verbs'() {
    assert.match(once(image, '--version').stdout, /^\d+\.\d+\.\d+\n$/)
    assert.equal(JSON.parse(once(image, 'openapi').stdout).openapi, '3.1.0')
    assert.equal(once(image, 'validate').status, 0)
    assert.equal(once(image, 'strat').status, 2)
  },
}

const compose = composeProgram(engine)
if (compose === undefined)
  console.log(
    'SKIPPED: Compose is not installed, so the Compose files of docs/pipelines.md and docs/events.md were not run',
  )
else {
  checks['the Docker Compose file of docs/pipelines.md: the tests reach the sandbox by its name'] = () =>
    runCompose({ engine, compose, image, folder: join(folder, basename(folder)) })
  checks['the Docker Compose file of docs/events.md: events leave the container, and reach a listener'] =
    () => runEventsCompose({ engine, compose, image, folder: join(folder, `${basename(folder)}-events`) })
}

let failed = 0
try {
  build()
  for (const [name, check] of Object.entries(checks)) {
    try {
      const seen = await check()
      console.log(`ok   ${name}${seen === undefined ? '' : `: ${seen}`}`)
    } catch (error) {
      failed += 1
      console.log(`FAIL ${name}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    }
  }
  console.log(`image: ${Object.keys(checks).length - failed} checks held, ${failed} did not (${engine})`)
} finally {
  if (containers.length > 0) spawnSync(engine, ['rm', '-f', ...containers], { stdio: 'ignore' })
  spawnSync(engine, ['rmi', '-f', image], { stdio: 'ignore' })
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failed === 0 ? 0 : 1
