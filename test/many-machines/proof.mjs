// Runs the proof of replicas on one engine for many seeds: node proof.mjs --seeds 500 [--from 1]. Needs redis-server.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '20' }, from: { type: 'string', default: '1' } },
})
const file = 'test/many-machines/many-machines.test.ts'
const child = spawn('npx', ['vitest', 'run', file, '--disable-console-intercept', '--reporter=dot'], {
  stdio: 'inherit',
  env: { ...process.env, PROOF_SEEDS: values.seeds, PROOF_FROM: values.from },
})
child.on('close', (code) => {
  process.exitCode = code ?? 1
})
