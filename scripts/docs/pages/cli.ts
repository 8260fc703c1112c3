import { flagOf, libraryNameOf, optionNames, optionOf, variableOf } from '../../../src/options/index.ts'
import { allVerbs, run } from '../../../src/cli/run.ts'
import type { Verb } from '../../../src/cli/verb.ts'
import { packageRoot } from '../../../src/runtime/host.ts'
import { block, code, codeList, table } from '../markdown.ts'
import type { Regions } from '../regions.ts'

/** The generated regions of the page of the command line. */
export const cliRegions: Regions = {
  help: async () => block('text', await help()),
  'remote-verbs': remoteVerbs,
  options: optionTable,
  verbs: verbSections,
}

/** The verbs that take --url; of a verb with others nested in it, these by their names. */
async function remoteVerbs(): Promise<string> {
  const isRemote = ({ own = [] }: Verb): boolean => own.some(({ long }) => long === '--url')
  const namesOf = ({ name, verbs = [], ...verb }: Verb): string[] => {
    const nested = verbs.filter(isRemote).map((inner) => inner.name)
    const isGroup = verb.run === undefined && nested.length === verbs.length
    if (isRemote({ name, ...verb }) || isGroup) return [name]
    return nested.length === 0 ? [] : [`${name} ${nested.join('|')}`]
  }
  const names = (await allVerbs()).filter(({ own, verbs }) => own ?? verbs).flatMap(namesOf)
  return `${codeList(names)} each call a path of the [control plane](control-plane.md#every-door).`
}

function optionTable(): string {
  return table(
    ['flag', 'what it does', 'default', 'environment', 'config file', 'library'],
    optionNames.map((name) => {
      const { placeholder, help: about, default: fallback, commandLineOnly } = optionOf(name)
      return [
        code(`${flagOf(name)}${placeholder ? ` ${placeholder}` : ''}`),
        about,
        fallback === undefined ? '' : code(fallback),
        code(variableOf(name)),
        code(name),
        commandLineOnly ? '' : code(libraryNameOf(name)),
      ]
    }),
  )
}

/** Returns a section for each verb and each verb nested in it, with their help. */
async function verbSections(): Promise<string> {
  const sections: string[] = []
  for (const [, verb = ''] of (await help()).matchAll(/^ {2}([a-z]+)(?: |$)/gm)) {
    const text = await help(verb)
    sections.push(`## ${verb}\n\n${block('text', text)}`)
    const commands = /^Commands:\n([\s\S]*)$/m.exec(text)?.[1] ?? ''
    for (const [, inner = ''] of commands.matchAll(/^ {2}([a-z-]+)(?: |$)/gm)) {
      sections.push(`### ${verb} ${inner}\n\n${block('text', await help(verb, inner))}`)
    }
  }
  return sections.join('\n')
}

/** Returns the help of a verb, or without one that of the program. */
async function help(...verb: string[]): Promise<string> {
  let text = ''
  const refuse = (): never => {
    throw new Error('the help starts no program and reads no input')
  }
  await run([...verb, '--help'], {
    stdout: (part) => void (text += part),
    stderr: (part) => void (text += part),
    env: {},
    cwd: packageRoot(),
    pid: 1,
    colour: false,
    terminal: false,
    stopped: new Promise(() => undefined),
    stop: refuse,
    onSignal: () => refuse,
    startProgram: refuse,
    startDetached: refuse,
    parentPid: refuse,
    readStdin: refuse,
    self: ['partner-rewards-sandbox'],
  })
  return text
}
