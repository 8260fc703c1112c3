// Writes every generated file that is stale, the types first:
//   npm run generate
//   npm run check:generated    writes nothing, and fails if a file is stale
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageRoot } from '../../src/runtime/host.ts'
import { generatedFiles, isStale, staleMessage, type GeneratedFile } from './files.ts'

const isCheck = process.argv.includes('--check')
let written = 0
const inProcess = generatedFiles.filter(({ startsProgram }) => !startsProgram)
const byPrograms = generatedFiles.filter(({ startsProgram }) => startsProgram)

await Promise.all([writeInOrder(inProcess), ...byPrograms.map(write)])
if (!isCheck) console.log(`generate: ${generatedFiles.length} files, ${written} written`)

async function writeInOrder(files: readonly GeneratedFile[]): Promise<void> {
  for (const file of files) await write(file)
}

/** Reports a failure and goes on, so that one generator without a network does not stop the others. */
async function write(file: GeneratedFile): Promise<void> {
  const path = join(packageRoot(), file.path)
  try {
    const text = await file.generate()
    if (!isStale(file, text)) return
    if (isCheck) return fail(staleMessage(file))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    written++
    console.log(`generate: wrote ${file.path}`)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    // Problems of marker lines begin with the path and a line.
    fail(message.startsWith(`${file.path}:`) ? message : `${file.path}: ${message}`)
  }
}

function fail(message: string): void {
  console.error(`generate: ${message}`)
  process.exitCode = 1
}
