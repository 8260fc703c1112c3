// The files of the inspector over HTTP, /_sandbox/ui; they have no data of the sandbox.
import { controlError } from '../http/control-error.ts'
import type { Noun } from './define.ts'

/**
 * Answers with a file of the page; undefined for an unknown file.
 * @param file its path below `/_sandbox/ui/`; empty for the page itself.
 */
export type Page = (file: string) => Promise<Response | undefined>

export const pagePath = '/_sandbox/ui'

/** @param page omitted if there is none. */
export function pageNoun(page?: Page): Noun {
  return {
    path: pagePath,
    about: 'the inspector, a page for browsers, with its files below this path',
    shared: true,
    isPage: true,
    library: {},
    methods: {
      GET: async (_verbs, c) => {
        const file = c.req.path.slice(`${pagePath}/`.length)
        const found = await page?.(file)
        return found ?? controlError('NOT_FOUND', `The page has no such file: open ${pagePath}.`)
      },
    },
  }
}
