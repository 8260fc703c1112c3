import { expect, it } from 'vitest'
import { loadedWith } from '../../helpers/imports.ts'

it.each(['sandbox/index.ts', 'index.ts', 'cli/serve/start.ts'])(
  '%s loads no client and no scripts of a store: a start without one does not pay for them',
  (entry) => {
    const ofStore = [...loadedWith(entry)].filter((name) => /redis|store-option/.test(name))
    // The file that decides whether there is one.
    expect(ofStore).toEqual(['sandbox/store-option.ts'])
  },
)
