// The files of the inspector over HTTP, /_sandbox/ui; they have no data of the sandbox.
import { z } from 'zod'
import { controlError } from '../http/control-error.ts'
import type { Handled } from './resource.ts'

/**
 * Answers with a file of the page; undefined for an unknown file.
 * @param file its path below `/_sandbox/ui/`; empty for the page itself.
 */
export type Page = (file: string) => Promise<Response | undefined>

export const pagePath = '/_sandbox/ui'

/** @param page omitted if there is none. */
export const pageFiles = (page?: Page): Handled => ({
  id: '',
  route: `GET ${pagePath}`,
  about: 'open the inspector, a page for browsers, with its files below this path',
  of: 'sandbox',
  isPage: true,
  result: z.string(),
  async handle(_verbs, c) {
    const found = await page?.(c.req.path.slice(`${pagePath}/`.length))
    return found ?? controlError('NOT_FOUND', `The page has no such file: open ${pagePath}.`)
  },
})
