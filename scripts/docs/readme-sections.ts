import { endpoints } from '../../src/endpoints/index.ts'
import { table } from './markdown.ts'

/** The parts of the README that are made from the declarations, by the name of their markers. */
export function readmeSections(): Record<string, string> {
  return {
    endpoints: table(
      ['operation', 'request', 'scope'],
      endpoints.map(({ id, method, path, scope, optionalScope }) => [
        `\`${id}\``,
        `\`${method} ${path}\``,
        scope ? `\`${scope}\`` : optionalScope ? `\`${optionalScope}\` (omits fields)` : '',
      ]),
    ),
  }
}

/** Replaces what stands between the markers of each section. */
export function withSections(readme: string, sections: Record<string, string>): string {
  return Object.entries(sections).reduce((text, [name, content]) => {
    const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
    const [from, to] = [text.indexOf(start), text.indexOf(end)]
    if (from === -1 || to === -1) throw new Error(`README.md has no section ${name}`)
    return `${text.slice(0, from + start.length)}\n\n${content}\n${text.slice(to)}`
  }, readme)
}
