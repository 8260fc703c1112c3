// The list of the committed files that are generated, each with its generator. `npm run generate` writes them, and
// test/generated-files.docs.test.ts compares them.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { packageRoot } from '../../src/runtime/host.ts'
import { replaceRegions, type Regions } from '../docs/regions.ts'

/** A committed file, all or some of which is generated. */
export interface GeneratedFile {
  /** From the root of the repository. */
  path: string
  /** Returns the whole text of the file. */
  generate(): string | Promise<string>
  /** The generator starts another program, so unit tests cannot compare the file; `npm run check:generated` does. */
  startsProgram?: true
}

/** In the order in which they are written. Generators are imported on use: they may import files earlier in the list. */
export const generatedFiles: readonly GeneratedFile[] = [
  source('src/contract/declared.generated.ts', async () =>
    (await import('./declared-types.ts')).declaredTypes(),
  ),
  {
    path: 'src/generate/english.generated.json',
    generate: async () => (await import('./english-names.ts')).englishNames(),
  },
  {
    path: 'scenarios/scenario.schema.json',
    // On one line: editors download it, and people do not read it.
    generate: async () =>
      `${JSON.stringify((await import('../../src/scenarios/scenario-schema.ts')).scenarioSchema())}\n`,
  },
  source('docs/endpoints.md', async () => (await import('../docs/pages/endpoints.ts')).endpointsPage()),
  source('docs/errors.md', async () => (await import('../docs/pages/errors.ts')).errorsPage()),
  source('docs/assumptions.md', async () => (await import('../docs/pages/assumptions.ts')).assumptionsPage()),
  source('docs/scenarios.md', async () => (await import('../docs/pages/scenarios.ts')).scenariosPage()),
  source('docs/effects.md', async () => (await import('../docs/pages/effects.ts')).effectsPage()),
  withRegions(
    'docs/control-plane.md',
    async () => (await import('../docs/pages/control-plane.ts')).controlPlaneRegions,
  ),
  source('docs/contract-points.md', async () =>
    (await import('../docs/pages/contract-points.ts')).contractPointsPage(),
  ),
  withRegions('docs/cli.md', async () => (await import('../docs/pages/cli.ts')).cliRegions),
  withRegions('docs/library.md', async () => (await import('../docs/pages/library.ts')).libraryRegions),
  {
    path: 'docs/partner-rewards.http',
    generate: async () => (await import('../docs/http-file.ts')).httpFile(),
  },
  withRegions('README.md', async () => (await import('../docs/pages/agents.ts')).readmeRegions),
  withRegions('AGENTS.md', async () => (await import('../docs/pages/agents.ts')).agentsRegions),
  {
    ...withRegions(
      'docs/architecture.md',
      async () => (await import('../docs/pages/architecture.ts')).architectureRegions,
    ),
    startsProgram: true,
  },
  {
    path: 'test/clients/typescript/api.generated.ts',
    generate: async () => (await import('./test-client.ts')).testClient(),
    startsProgram: true,
  },
  {
    path: 'test/clients/typescript/control.generated.ts',
    generate: async () => (await import('./test-client.ts')).testClient(true),
    startsProgram: true,
  },
]

/** Whether the committed file differs from the generated text. */
export function isStale({ path }: GeneratedFile, generated: string): boolean {
  const file = join(packageRoot(), path)
  return !existsSync(file) || readFileSync(file, 'utf8') !== generated
}

export const staleMessage = ({ path }: GeneratedFile): string => `${path} is stale: run npm run generate`

/** A file that prettier formats. */
function source(path: string, generate: GeneratedFile['generate']): GeneratedFile {
  return { path, generate: async () => formatted(path, await generate()) }
}

/** A page that is written by hand, except for the generated regions between its marker lines. */
function withRegions(path: string, regions: () => Promise<Regions>): GeneratedFile {
  return {
    path,
    async generate() {
      const written = readFileSync(join(packageRoot(), path), 'utf8')
      return replaceRegions(path, written, await regions(), (text) => formatted(path, text))
    },
  }
}

/** Formats text as prettier formats the file at this path. */
async function formatted(path: string, text: string): Promise<string> {
  const filepath = join(packageRoot(), path)
  return format(text, { ...(await resolveConfig(filepath)), filepath })
}
