// Runs the proof of replicas on one engine for many seeds: node proof.mjs --seeds 500 [--from 1] [--processes]. Replicas
// of every tenth seed, or with --processes of all, are processes of their own. Needs redis-server, and a build.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    from: { type: 'string', default: '1' },
    processes: { type: 'boolean', default: false },
  },
})
const file = 'test/many-machines/many-machines.storage.test.ts'
const child = spawn('npx', ['vitest', 'run', file, '--disable-console-intercept', '--reporter=dot'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    PROOF_SEEDS: values.seeds,
    PROOF_FROM: values.from,
    PROOF_PROCESSES: values.processes ? 'all' : '',
  },
})
child.on('close', (code) => {
  process.exitCode = code ?? 1
})
