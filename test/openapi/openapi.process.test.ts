import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import { describeControl } from '../../src/control/describe-control.ts'
import { resources } from '../../src/control/index.ts'
import { describeApi } from '../../src/openapi/index.ts'

const serverUrl = 'http://127.0.0.1:4010'
const documents = {
  'the API': describeApi({
    assumptions: resolveAssumptions({}),
    serverUrl,
    environment: 'sandbox',
    sandboxVersion: '0.1.0',
  }),
  'the API with operations outside the contract': describeApi({
    assumptions: resolveAssumptions({ unlisted_operations: 'documented' }),
    serverUrl,
    environment: 'sandbox',
    sandboxVersion: '0.1.0',
  }),
  'the control plane': describeControl(
    resources.flatMap(({ operations }) => operations).filter(({ isPage }) => !isPage),
    serverUrl,
  ),
}

describe('the document', () => {
  it.each(Object.entries(documents))(
    '%s is clean by the recommended rules of a linter',
    async (_of, document) => {
      // No rule is turned off: the document is served as it is linted here.
      const folder = await mkdtemp(join(tmpdir(), 'openapi-'))
      try {
        await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
        await writeFile(join(folder, 'redocly.yaml'), 'extends: [recommended]\n')
        const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json')
        const { stdout } = await promisify(execFile)(
          process.execPath,
          [
            join(dirname(manifest), 'bin/cli.js'),
            'lint',
            'openapi.json',
            '--config',
            'redocly.yaml',
            '--format',
            'json',
          ],
          {
            cwd: folder,
            env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
          },
        ).catch((failed: { stdout: string }) => failed)
        const { problems } = JSON.parse(stdout) as { problems: unknown[] }
        expect(problems).toEqual([])
      } finally {
        await rm(folder, { recursive: true })
      }
    },
  )
})
