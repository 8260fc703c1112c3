// Leaves out what Faker knows of English and is never asked for: that would be a fifth of the package.
import { pathToFileURL } from 'node:url'
import type { Rolldown } from 'tsdown'

/** The parts of Faker's English that made-up customers are made of. */
const used = ['metadata', 'person', 'location', 'company']

/** Replaces Faker's module of English, which is one object, by those parts of it. */
export function usedNames(): Rolldown.Plugin {
  return {
    name: 'used-names',
    load: {
      filter: { id: /@faker-js\/faker\/dist\/en-[\w-]+\.js$/ },
      async handler(id) {
        const exported = (await import(pathToFileURL(id).href)) as Record<string, Record<string, unknown>>
        const [[name, english] = [], ...others] = Object.entries(exported)
        if (name === undefined || english === undefined || others.length > 0)
          throw new Error(`${id} is no longer one object`)
        const kept = Object.fromEntries(used.map((part) => [part, english[part]]))
        return `const english = ${JSON.stringify(kept)}\nexport { english as ${name} }\n`
      },
    },
  }
}
