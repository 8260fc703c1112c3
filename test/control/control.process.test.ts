import { describe, expect, it } from 'vitest'
import { startSandbox } from '../helpers/sandbox.ts'
import { get } from './get.ts'

describe('GET /_sandbox/health', () => {
  it('HEAD -> 200 without a body', async () => {
    const sandbox = await startSandbox()
    const server = await sandbox.listen()
    const inProcess = await get(sandbox, '/_sandbox/health', { method: 'HEAD' })
    expect([inProcess.status, inProcess.type, inProcess.text]).toEqual([200, 'application/json', ''])
    const overSocket = await fetch(`${server.url}/_sandbox/health`, { method: 'HEAD' })
    expect([overSocket.status, await overSocket.text()]).toEqual([200, ''])
  })
})

describe('GET /_sandbox/openapi.json', () => {
  it('is the document of the library, for the address it was asked under', async () => {
    const sandbox = await startSandbox()
    const server = await sandbox.listen()
    const { status, type, json } = await get(
      { fetch: (path, init) => fetch(new URL(path, server.url), init) },
      '/_sandbox/openapi.json',
    )
    expect([status, type]).toEqual([200, 'application/json'])
    expect(json.openapi).toMatch(/^3\.1\./)
    expect(json.servers.map(({ url }: { url: string }) => url)).toEqual([server.url])
    expect(json).toEqual(JSON.parse(JSON.stringify(await sandbox.openapi(server.url))))
    const whole = await (await fetch(`${server.url}/_sandbox/openapi.json?sandbox=true`)).json()
    expect(whole).toEqual(JSON.parse(JSON.stringify(await sandbox.openapi(server.url, { sandbox: true }))))
    expect(whole).toMatchObject({ components: { parameters: { Scenario: { in: 'header' } } } })
  })
})
