// The verb that serves: start, which also runs where no verb is named.
import { optionNames, optionOf } from '../../options/index.ts'
import type { Verb } from '../verb.ts'

export const servingVerbs: readonly Verb[] = [
  {
    name: 'start',
    about: 'serve the API (also without a verb)',
    options: optionNames.filter((name) => optionOf(name).verbs === undefined),
    isDefault: true,
    endsItself: true,
    run: async ({ flags, io }) => (await import('./start.ts')).start(flags, io),
  },
]
