// Runs write.ts, which needs no build and no test runner.
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const script = fileURLToPath(new URL('write.ts', import.meta.url))
await runnerImport(script, { configFile: false, logLevel: 'error', oxc: { target: 'node20' } })
