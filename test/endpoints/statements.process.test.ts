import { describe, expect, test } from 'vitest'
import { startSandbox } from '../helpers/sandbox.ts'

const path = '/v2/customers/cus_ada/accounts/acct_ada/statements'

describe('the document behind pdf_url', () => {
  test('read through a socket -> the link has its address and opens there', async () => {
    const sandbox = await startSandbox()
    const server = await sandbox.listen()
    const answer = await fetch(`${server.url}${path}?limit=1`, {
      headers: { authorization: 'Bearer sk_sandbox_full' },
    })
    const { data } = (await answer.json()) as { data: { pdf_url: string }[] }
    const link = data[0]?.pdf_url ?? ''
    expect(link.startsWith(`${server.url}/_sandbox/files/statements/default/stm_ada_27.pdf?`)).toBe(true)
    const file = await fetch(link)
    const bytes = Buffer.from(await file.arrayBuffer())
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(file.headers.get('content-length')).toBe(String(bytes.byteLength))
    const head = await fetch(link, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.byteLength)])
    const post = await fetch(link, { method: 'POST', body: 'x' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    await post.text()
  })
})
