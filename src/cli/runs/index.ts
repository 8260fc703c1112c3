// The verbs that run a command beside a sandbox of its own: exec, matrix.
import { Option } from 'commander'
import { optionNames } from '../../options/index.ts'
import { textOrJson, type Verb } from '../verb.ts'
import { requireCommand } from './command.ts'
import { matrixOptions } from './matrix-options.ts'

export const runningVerbs: readonly Verb[] = [
  {
    name: 'exec',
    about: 'run a command beside a sandbox of its own, and say what it exercised',
    options: optionNames,
    takesCommand: true,
    endsItself: true,
    hasLog: true,
    run: async ({ args, command, flags, io }) =>
      (await import('./exec.ts')).exec(requireCommand('exec', args, command), flags, io),
    help: `
The command finds SANDBOX_URL and SANDBOX_API_KEY. Exit codes: that of the command when it is not 0 (128 and
the number of a signal that ended it; 127 when there is no such program, 126 when it cannot be run), else 6
when a gate does not hold (--coverage-min, --coverage-baseline, --strict), also as there was no call. A signal is
handed on; a command that does not end within 8 s of SIGTERM is killed.

Sandboxes that the command makes by a test kit or by createSandbox join the run: they take its fixtures, scenarios,
seed, clock, environment and assumptions, and their calls count. They are told by the variable SANDBOX_RUN.`,
  },
  {
    name: 'matrix',
    about: 'run a suite with each other value of each assumption',
    options: [...matrixOptions, 'host', 'config', 'mount'],
    own: [
      new Option('--only <ids>', 'only these assumptions, by comma; id=value for one value').argParser(
        (value: string, earlier: string[] | undefined) => [...(earlier ?? []), ...value.split(',')],
      ),
      new Option(
        '--all',
        'also the values of assumptions that no call of the suite rested on, and of those that are calibrated',
      ),
      new Option('--jobs <number>', 'how many runs at once, each with a sandbox of its own (default: 1)'),
      textOrJson,
    ],
    takesCommand: true,
    endsItself: true,
    run: async ({ args, command, flags, io }) =>
      (await import('./matrix.ts')).matrix(requireCommand('matrix', args, command), flags, io),
    help: `
It runs the suite as it is, then with each other value of the assumptions that its calls rested on, less those that are
calibrated. Exit codes: that of the suite when it fails as it is, else 6 when it fails with another value, as it rests
there on what the contract does not promise, and 6 when it made no call.`,
  },
]
