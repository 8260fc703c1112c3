import { expect, it } from 'vitest'
import type { WorkspaceVerbs } from '../../src/operations/sandbox-workspace.ts'
import { controlPlane } from '../helpers/control-plane.ts'

/** A control plane whose page has two files, and tells which were asked for. */
function withPage() {
  const files: string[] = []
  const app = controlPlane(
    { workspace: () => ({}) as WorkspaceVerbs },
    {
      token: 'secret',
      page: async (file) => {
        files.push(file)
        return ['', 'page.js'].includes(file) ? new Response(`file '${file}'`) : undefined
      },
    },
  )
  return {
    files,
    get: (path: string, init?: RequestInit) => app.request(`http://localhost${path}`, init, {}),
  }
}

it.each([
  ['/_sandbox/ui', ''],
  ['/_sandbox/ui/', ''],
  ['/_sandbox/ui?workspace=w1&utm=x&utm=y', ''],
  ['/_sandbox/ui/page.js', 'page.js'],
  ['/_sandbox/ui/page.js?v=1', 'page.js'],
])('%s, without a token -> the file', async (path, file) => {
  const { files, get } = withPage()
  const answer = await get(path)
  expect([answer.status, await answer.text(), files]).toEqual([200, `file '${file}'`, [file]])
  const head = await get(path, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

it.each([
  ['/_sandbox/ui/x/y.js', 'x/y.js'],
  ['/_sandbox/ui//', '/'],
  ['/_sandbox/ui/%2e%2e%2fstate', '%2e%2e%2fstate'],
])('%s -> 404', async (path, file) => {
  const { files, get } = withPage()
  const answer = await get(path)
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { error: { type: 'NOT_FOUND', message: 'The page has no such file: open /_sandbox/ui.' } },
  ])
  expect(files).toEqual([file])
})

it.each(['/_sandbox/uix', '/_sandbox/ui/../state'])('%s is no file of the page -> 401', async (path) => {
  const { files, get } = withPage()
  expect([(await get(path)).status, files]).toEqual([401, []])
})

it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  '%s -> 405, for whoever has the token',
  async (method) => {
    const { files, get } = withPage()
    const headers = { authorization: 'Bearer secret' }
    for (const path of ['/_sandbox/ui', '/_sandbox/ui/page.js']) {
      const answer = await get(path, { method, headers })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
      expect((await get(path, { method })).status).toBe(401)
    }
    expect(files).toEqual([])
  },
)
