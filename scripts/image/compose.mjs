// Runs the Compose file of docs/pipelines.md. Only its port on this machine is changed.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Returns the command of Compose for this engine, or undefined if it is not installed. */
export function composeProgram(engine) {
  const words = engine === 'docker' ? ['docker', 'compose'] : ['podman-compose']
  const [program, ...rest] = words
  return spawnSync(program, [...rest, 'version'], { stdio: 'ignore' }).status === 0 ? words : undefined
}

/** Returns the code block under a heading of a page. */
export function blockUnder(heading, name = 'pipelines.md') {
  const page = readFileSync(join(root, 'docs', name), 'utf8')
  const [, block] = page.split(`\n## ${heading}\n`)[1]?.match(/^```\w+\n([\s\S]*?)^```$/m) ?? []
  assert.ok(block, `docs/${name} has no block under '${heading}'`)
  return block
}

/**
 * The tests of a partner: they read a row of the mounted fixtures, and the control plane, at the name of the service.
 */
const tests = `
import { writeFileSync } from 'node:fs'
const { SANDBOX_URL: url, SANDBOX_API_KEY: key, SANDBOX_ADMIN_TOKEN: token } = process.env
const get = async (path, bearer) =>
  (await fetch(url + path, { headers: { authorization: 'Bearer ' + bearer } })).status
const seen = [await get('/v2/customers/cus_mine/rewards_balance', key), await get('/_sandbox/clock', token)]
writeFileSync('seen.txt', seen.join(' '))
`

export function runCompose(parts) {
  const files = {
    'sandbox/fixtures/mine.yaml': 'customers: [{ id: cus_mine }]\n',
    'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node tests.js' } }),
    'tests.js': tests,
  }
  return withCompose({ ...parts, file: blockUnder('Docker Compose'), files }, async ({ run, url }) => {
    run('up', '-d', 'sandbox')
    // Wait here, as an old podman-compose does not support `service_healthy`.
    await untilWell(`${url}/_sandbox/health`)
    const said = run('run', '--rm', 'tests')
    assert.equal(readFileSync(join(parts.folder, 'seen.txt'), 'utf8'), '200 200', said)
  })
}

/** Writes a Compose file and others into a folder, and runs the work; then everything is removed. */
export async function withCompose(
  { engine, compose: [program, ...words], image, folder, file, files },
  work,
) {
  const [, name] = /^docker build -t (\S+) \.$/m.exec(blockUnder('The image')) ?? []
  const port = await freePort()
  const all = { ...files, 'compose.yaml': file.replace('127.0.0.1:4010:', `127.0.0.1:${port}:`) }
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const run = (...args) =>
    execFileSync(program, [...words, '-f', 'compose.yaml', ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  execFileSync(engine, ['tag', image, name])
  try {
    await work({ run, url: `http://127.0.0.1:${port}` })
  } finally {
    spawnSync(program, [...words, '-f', 'compose.yaml', 'down'], { cwd: folder, stdio: 'ignore' })
    // An old podman-compose does not remove the network.
    spawnSync(engine, ['network', 'rm', '-f', `${basename(folder).toLowerCase()}_default`], {
      stdio: 'ignore',
    })
    spawnSync(engine, ['rmi', name], { stdio: 'ignore' })
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

export async function untilWell(url) {
  const until = performance.now() + 20_000
  while ((await fetch(url).catch(() => undefined))?.status !== 200) {
    assert.ok(performance.now() < until, 'the sandbox of the Compose file was not ready in time')
    await new Promise((resume) => setTimeout(resume, 50))
  }
}
