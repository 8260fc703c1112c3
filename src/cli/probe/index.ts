// The verbs that send requests to a service: conform, calibrate.
import { Option } from 'commander'
import { textOrJson, type Verb } from '../verb.ts'

const byComma = (value: string, earlier: string[] | undefined): string[] => [
  ...(earlier ?? []),
  ...value.split(',').map((word) => word.trim()),
]

/** The common options. */
const common = (ids: string): Option[] => [
  new Option(
    '--allow <classes>',
    'also send requests that create or change something: write, irreversible, separated by commas',
  ).argParser(byComma),
  new Option('--only <ids>', `only these ${ids}, separated by commas`).argParser(byComma),
  new Option('--plan', 'print every request that would be sent, and send none'),
  new Option(
    '--made <file>',
    'where to list everything that is created or changed (default: <verb>-made-<run>.jsonl)',
  ),
]

const target = (): Option => new Option('--target <file>', 'the service to test: its address, keys and rows')

const whatIsSent = `
Without --allow it sends only requests that change nothing: reads, and requests that the service must refuse. The
first request checks that the service is a sandbox; nothing more is sent to production (exit 2). Exit 7: the service
does not answer or refuses the key. Exit 3: the target file cannot be used. Exit 130: Ctrl-C; the findings so far are
written.`

export const probingVerbs: readonly Verb[] = [
  {
    name: 'conform',
    about: 'check whether a service keeps the contract, point by point',
    own: [
      target().makeOptionMandatory(),
      ...common('points, or prefixes of their names (searchCustomers, listStatements/page)'),
      new Option(
        '--report <file>',
        'also write the findings: .txt, .json, .html or .xml (JUnit); repeatable',
      ).argParser((value: string, earlier: string[] | undefined) => [...(earlier ?? []), value]),
      textOrJson,
    ],
    endsItself: true,
    run: async ({ flags, io }) => (await import('./conform.ts')).conformVerb(flags, io),
    help: `${whatIsSent}
Exit codes: 0 if no point is broken, 6 if one is, 7 if none could be checked.`,
  },
  {
    name: 'calibrate',
    about: 'find the value of each assumption at a service',
    own: [
      target().makeOptionMandatory(),
      ...common('assumptions'),
      new Option('-o, --output <file>', 'write the observed values, for --calibrated and --check'),
      new Option('--check <file>', 'compare with an earlier file, and report what has changed'),
      textOrJson,
    ],
    endsItself: true,
    run: async ({ flags, io }) => (await import('./calibrate.ts')).calibrateVerb(flags, io),
    help: `${whatIsSent}
Exit codes: 0 if a value was observed, 7 if none was; with --check 6 if a value has changed.`,
  },
]
