// Proves that processes on one engine are one sandbox: node proof.mjs [--calls 50000] [--seeds 3] [--from 1]. Each seed is
// one run behind haproxy and one with clients that choose a process at random. Needs redis-server, and a build.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '0' },
    seeds: { type: 'string', default: '1' },
    from: { type: 'string', default: '1' },
  },
})
const file = 'test/many-machines/many-machines.storage.test.ts'
const child = spawn('npx', ['vitest', 'run', file, '--disable-console-intercept', '--reporter=dot'], {
  stdio: 'inherit',
  env: { ...process.env, PROOF_SEEDS: values.seeds, PROOF_FROM: values.from, PROOF_CALLS: values.calls },
})
child.on('close', (code) => {
  process.exitCode = code ?? 1
})
