import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { packageRoot } from '../../src/runtime/host.ts'

/** A built-in scenario, with the text of its file. */
export interface ScenarioDocument {
  name: string
  description: string
  text: string
}

export function builtIn(): ScenarioDocument[] {
  const folder = join(packageRoot(), 'scenarios')
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const { name, description } = parse(text) as { name: string; description: string }
      return { name, description, text }
    })
}
