// The verb that serves: start, which also runs where no verb is named.
import { Option } from 'commander'
import { optionNames, optionOf } from '../../options/index.ts'
import type { Verb } from '../verb.ts'

export const servingVerbs: readonly Verb[] = [
  {
    name: 'start',
    about: 'serve the API (also without a verb)',
    options: optionNames.filter((name) => optionOf(name).verbs === undefined),
    // About this one process, so that nothing that is inherited, such as a variable, can set them.
    own: [
      new Option(
        '--detach',
        'go on in the background; print the first line and the process id once it serves',
      ),
      new Option('--open', 'open the inspector in the browser'),
      new Option('--stop-with-parent', 'end when the process is gone that started it'),
    ],
    isDefault: true,
    endsItself: true,
    hasLog: true,
    run: async ({ flags, io, argv }) => (await import('./start.ts')).start(flags, io, argv),
    help: `
With --detach the log goes to --log-file, else nowhere; partner-rewards-sandbox stop ends it.`,
  },
]
