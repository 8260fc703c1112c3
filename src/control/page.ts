// The page for people over HTTP, /_sandbox/ui: its files, which hold no data of the sandbox.
import { controlError } from '../http/control-error.ts'
import type { Noun } from './define.ts'

/**
 * Answers with a file of the page; undefined for one that there is not.
 * @param file its path below `/_sandbox/ui/`; empty for the page itself.
 */
export type Page = (file: string) => Promise<Response | undefined>

export const pagePath = '/_sandbox/ui'

/** @param page left out where there is none. */
export function pageNoun(page?: Page): Noun {
  return {
    path: pagePath,
    about: 'the inspector, a page for browsers; its files stand below',
    shared: true,
    isPage: true,
    library: {},
    methods: {
      GET: async (_verbs, c) => {
        const file = c.req.path.slice(`${pagePath}/`.length)
        const found = await page?.(file)
        return found ?? controlError('NOT_FOUND', `No file of the page is here: it begins at ${pagePath}.`)
      },
    },
  }
}
