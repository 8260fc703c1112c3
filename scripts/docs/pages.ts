import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { packageRoot } from '../../src/runtime/host.ts'
import { assumptionsPage } from './pages/assumptions.ts'
import { declaredTypes } from './pages/declared-types.ts'
import { cliPage } from './pages/cli.ts'
import { contractPointsPage } from './pages/contract-points.ts'
import { controlPlanePage } from './pages/control-plane.ts'
import { effectsPage } from './pages/effects.ts'
import { endpointsPage } from './pages/endpoints.ts'
import { errorsPage } from './pages/errors.ts'
import { libraryPage } from './pages/library.ts'
import { scenariosPage } from './pages/scenarios.ts'

/** The files that are generated from the declarations, by their path in the repository. */
const pages: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/endpoints.md': endpointsPage,
  'docs/errors.md': errorsPage,
  'docs/assumptions.md': assumptionsPage,
  'docs/scenarios.md': scenariosPage,
  'docs/effects.md': effectsPage,
  'docs/control-plane.md': controlPlanePage,
  'docs/contract-points.md': contractPointsPage,
  'docs/cli.md': cliPage,
  'docs/library.md': libraryPage,
  'src/contract/declared.generated.ts': declaredTypes,
}

export const pageNames: readonly string[] = Object.keys(pages)

/** Returns the text of a page, formatted by prettier. */
export async function pageText(name: string): Promise<string> {
  const text = (await pages[name]?.()) ?? ''
  const path = join(packageRoot(), name)
  return format(text, { ...(await resolveConfig(path)), filepath: path })
}
