import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { coverageFile } from '../../../src/inspector/reports/coverage-file.tsx'
import { few, whole } from '../../helpers/coverage-reports.ts'
import { startSandbox } from '../../helpers/sandbox.ts'

describe('coverage as one file', () => {
  it('is one page that loads nothing and runs nothing', async () => {
    const { coverage } = await startSandbox()
    const page = await coverage.report('html')
    // Texts for pasting name the sandbox; nothing else is an address.
    const withoutText = page.replaceAll(/<pre>[\s\S]*?<\/pre>/g, '')
    expect(withoutText.match(/https?:\/\/|url\(|@import|<script|<iframe|<img|\son\w+=|\sstyle=/gi)).toBeNull()
    const attributes = [...page.matchAll(/\s(href|src)="([^"]*)"/g)].map(([, , value]) => value ?? '')
    expect(attributes.filter((value) => !/^(#|data:image\/svg\+xml,)/.test(value))).toEqual([])
  })

  it('its content policy allows its own style and nothing else', () => {
    const page = coverageFile(few)
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? []
    expect(policy).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`,
    )
  })

  it('shows the percentage, each point, and for each that is missing where its request stands', () => {
    const page = coverageFile(few)
    expect(page).toContain('<title>50 % contract coverage</title>')
    expect(page).toContain(
      '<b>3 of 6</b> contract points were exercised; <b>3</b> are missing, with requests to paste.',
    )
    expect(page).toContain('✓ success <span class="hits">×12</span>')
    expect(page).toContain('href="#deleteOrderEvent/scope/ORDER_WRITE/missing"')
    expect(page).toContain('<li id="deleteOrderEvent/scope/ORDER_WRITE/missing">')
    expect(page).toContain('<pre>curl -i -u a: &#39;http://x/?a=&lt;b&gt;&amp;c=&quot;&#39;</pre>')
    const links = [...page.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id)
    for (const id of links) expect(page).toContain(`id="${id}"`)
  })

  it('all of it was exercised -> says so', () => {
    const page = coverageFile(whole)
    expect(page).toContain('<b>1 of 1</b> contract points were exercised: all of them.')
    expect(page).toContain('Every point was exercised.')
    expect(page).not.toContain('<details class="missing">')
  })
})
