// The verb that serves: start, which is also the default verb.
import { Option } from 'commander'
import { optionNames, optionOf } from '../../options/index.ts'
import type { Verb } from '../verb.ts'

export const servingVerbs: readonly Verb[] = [
  {
    name: 'start',
    about: 'serve the API (also without a verb)',
    options: optionNames.filter((name) => optionOf(name).verbs === undefined),
    // For this one process, so inherited settings such as variables cannot set them.
    own: [
      new Option(
        '--detach',
        'run in the background; print the first line and the process id as soon as it serves',
      ),
      new Option('--open', 'open the inspector in the browser'),
      new Option('--stop-with-parent', 'stop when the parent process has ended'),
    ],
    isDefault: true,
    endsItself: true,
    hasLog: true,
    run: async ({ flags, io, argv }) => (await import('./start.ts')).start(flags, io, argv),
    help: `
With --detach the log goes to --log-file only; partner-rewards-sandbox stop stops the sandbox.`,
  },
]
