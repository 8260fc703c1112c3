// Leaves out what Faker can do and is never asked for: that would be a tenth of the package.
import { pathToFileURL } from 'node:url'
import type { Rolldown } from 'tsdown'

/** The parts of Faker that are asked for names, streets and companies, and what these are made with. */
const modules = ['company', 'helpers', 'location', 'number', 'person']

/** The parts of Faker's English that these are made of. */
const words: Readonly<Record<string, readonly string[]>> = {
  metadata: ['title'],
  person: ['first_name', 'last_name', 'last_name_pattern'],
  location: ['street_name', 'street_pattern', 'street_suffix'],
  company: ['legal_entity_type', 'name_pattern'],
}

/** Makes Faker of those parts alone. What it lacks it says when it is asked for it. */
export function usedNames(): Rolldown.Plugin {
  return {
    name: 'used-names',
    load: {
      filter: { id: /@faker-js\/faker\/dist\/en-[\w-]+\.js$/ },
      async handler(id) {
        const exported = (await import(pathToFileURL(id).href)) as Record<string, English>
        const [[name, english] = [], ...others] = Object.entries(exported)
        if (name === undefined || english === undefined || others.length > 0)
          throw new Error(`${id} is no longer one object`)
        return `const english = ${JSON.stringify(partsOf(english, id))}\nexport { english as ${name} }\n`
      },
    },
    transform: {
      filter: { id: /@faker-js\/faker\/dist\/base-[\w-]+\.js$/ },
      handler: (code, id) => onlyModules(code, id),
    },
  }
}

type English = Readonly<Record<string, Readonly<Record<string, unknown>>>>

function partsOf(english: English, id: string): English {
  return Object.fromEntries(
    Object.entries(words).map(([part, names]) => [
      part,
      Object.fromEntries(
        names.map((name) => {
          const value = english[part]?.[name]
          if (value === undefined) throw new Error(`${id} no longer has ${part}.${name}`)
          return [name, value]
        }),
      ),
    ]),
  )
}

/**
 * The class is a list of fields such as `animal=new le(this);`, without which nothing needs the code behind them.
 * Lists such as `Aardvark.Ant`.split(`.`) go too, when the bundler knows that the call does nothing else.
 */
function onlyModules(code: string, id: string): string {
  const found = new Set<string>()
  const kept = code.replace(/(?<=[{;}])(\w+)=new [\w$]+\(this\);/g, (field, name: string) => {
    found.add(name)
    return modules.includes(name) ? field : ''
  })
  const missing = modules.filter((name) => !found.has(name))
  if (missing.length > 0) throw new Error(`${id} no longer has the modules ${missing.join(', ')}`)
  return kept.replace(/(?<=[:=])`[^`$]*`\.split\(/g, '/* @__PURE__ */ $&')
}
