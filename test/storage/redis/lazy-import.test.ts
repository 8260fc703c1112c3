import { expect, it } from 'vitest'
import { loadedWith } from '../../helpers/imports.ts'

it.each(['sandbox/index.ts', 'index.ts', 'cli/serve/start.ts'])(
  '%s loads no client and no scripts of a store: a start without one does not pay for them',
  (entry) => {
    const ofStore = [...loadedWith(entry)].filter((name) => /redis|storage|store-option/.test(name))
    // What decides whether there is one, and how its failures are told.
    const few = ['sandbox/store-option.ts', 'storage/redis/turn.ts']
    expect(ofStore.toSorted()).toEqual(few)
  },
)
