// Prints all messages of the sandbox, to check their words: npm run messages.
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const page = fileURLToPath(new URL('docs/pages/messages.ts', import.meta.url))
const { module } = await runnerImport(page, { configFile: false, logLevel: 'error' })
process.stdout.write(await module.messagesPage())
