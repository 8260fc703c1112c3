// The verbs that ask a service: conform, calibrate.
import { Option } from 'commander'
import { textOrJson, type Verb } from '../verb.ts'

const byComma = (value: string, earlier: string[] | undefined): string[] => [
  ...(earlier ?? []),
  ...value.split(',').map((word) => word.trim()),
]

/** What both take. */
const common = (ids: string): Option[] => [
  new Option('--target <file>', 'the service to ask: its address, keys and rows').makeOptionMandatory(),
  new Option(
    '--allow <classes>',
    'also send what creates or changes something: write, irreversible, by comma',
  ).argParser(byComma),
  new Option('--only <ids>', `only these ${ids}, by comma`).argParser(byComma),
  new Option('--plan', 'print every request that would be sent, and send none'),
  new Option('--made <file>', 'where to list what is made or changed (default: <verb>-made-<run>.jsonl)'),
]

const whatIsSent = `
Without --allow nothing is sent that could change anything: reads, and requests that are made to be refused. The first
request finds out whether the service is a sandbox; production is asked nothing more (exit 2). A service that does not
answer or refuses the key is exit 7, a target file that cannot be used is 3, and Ctrl-C is 130, with what was found.`

export const probingVerbs: readonly Verb[] = [
  {
    name: 'conform',
    about: 'ask a service whether it keeps the contract, point by point',
    own: [
      ...common('points, or those that begin so (searchCustomers, listStatements/page)'),
      new Option(
        '--report <file>',
        'also write the findings: .txt, .json, .md, .html or .xml (JUnit); may be given again',
      ).argParser((value: string, earlier: string[] | undefined) => [...(earlier ?? []), value]),
      textOrJson,
    ],
    endsItself: true,
    run: async ({ flags, io }) => (await import('./conform.ts')).conformVerb(flags, io),
    help: `${whatIsSent}
Exit codes: 0 when nothing is broken, 6 when a point is, 7 when none could be judged.`,
  },
  {
    name: 'calibrate',
    about: 'ask a service which value of each assumption it has',
    own: [
      ...common('assumptions'),
      new Option('-o, --output <file>', 'write what was observed, for --calibrated and --check'),
      new Option('--check <file>', 'compare with what was written before, and say what has moved'),
      textOrJson,
    ],
    endsItself: true,
    run: async ({ flags, io }) => (await import('./calibrate.ts')).calibrateVerb(flags, io),
    help: `${whatIsSent}
Exit codes: 0 when a value was observed, else 7; with --check 6 when something has moved.`,
  },
]
