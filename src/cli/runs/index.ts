// The verbs that run a command with a sandbox of its own: exec, matrix.
import { Option } from 'commander'
import { optionNames } from '../../options/index.ts'
import type { Verb } from '../verb.ts'
import { requireCommand } from './command.ts'
import { matrixOptions } from './matrix-options.ts'

export const runningVerbs: readonly Verb[] = [
  {
    name: 'exec',
    about: 'run a command with a sandbox of its own, and report its coverage',
    options: optionNames,
    takesCommand: true,
    endsItself: true,
    hasLog: true,
    run: async ({ args, command, flags, io }) =>
      (await import('./exec.ts')).exec(requireCommand('exec', args, command), flags, io),
    help: `
The command gets SANDBOX_URL and SANDBOX_API_KEY. Exit codes: that of the command if it is not 0 (128 plus
the number of the signal that ended it; 127 if the program does not exist, 126 if it cannot be run); 6
if a gate fails (--coverage-min, --coverage-baseline, --strict), also because there was no call. Signals are
forwarded; a command that does not end within 8 s of SIGTERM is killed.

Sandboxes that the command creates by a test kit or createSandbox join the run: they use its fixtures, scenarios,
seed, clock, environment and assumptions, and their calls count. They find the run by the variable SANDBOX_RUN.`,
  },
  {
    name: 'matrix',
    about: 'run a suite once for each alternative value of each assumption',
    options: [...matrixOptions, 'host', 'config', 'mount'],
    own: [
      new Option(
        '--only <ids>',
        'only these assumptions, separated by commas; id=value for one value',
      ).argParser((value: string, earlier: string[] | undefined) => [
        ...(earlier ?? []),
        ...value.split(','),
      ]),
      new Option(
        '--all',
        'also the values of assumptions that no call of the suite rested on, and of calibrated ones',
      ),
      new Option('--jobs <number>', 'how many runs in parallel, each with a sandbox of its own (default: 1)'),
      new Option('--format <format>', 'the output format').choices(['text', 'json', 'html']).default('text'),
    ],
    takesCommand: true,
    endsItself: true,
    run: async ({ args, command, flags, io }) =>
      (await import('./matrix.ts')).matrix(requireCommand('matrix', args, command), flags, io),
    help: `
It runs the suite with the current values, then with each alternative value of the assumptions that its calls rested on,
except calibrated ones. Exit codes: that of the suite if it fails with the current values; 6 if it fails with another
value, as it then rests on what the contract does not promise; 6 if it made no call. Under each value it names the tests
that failed or, without results of a test kit, those whose calls rest on the assumption.`,
  },
]
