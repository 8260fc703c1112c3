import { expect, it } from 'vitest'
import { importsIn, loadedWith, treeOf } from './imports.ts'

it.each([
  [`import { a } from '../store/rows.ts'`, '../store/rows.ts', 'store/rows.ts', 'static'],
  [`import { type A, b } from './b.ts'`, './b.ts', 'http/b.ts', 'static'],
  // It stays behind as an import of nothing, which loads the file.
  [`import { type A } from './b.ts'`, './b.ts', 'http/b.ts', 'static'],
  [`import './b.ts'`, './b.ts', 'http/b.ts', 'static'],
  [`import {\n  a,\n} from "hono/html"`, 'hono/html', 'hono/html', 'static'],
  [`export * from './stages/c.ts'`, './stages/c.ts', 'http/stages/c.ts', 'static'],
  [`export { a } from '../index.ts'`, '../index.ts', 'index.ts', 'static'],
  [`const a = async () => await import('yaml')`, 'yaml', 'yaml', 'dynamic'],
  ['void import(`./b.ts`)', './b.ts', 'http/b.ts', 'dynamic'],
  [`import type { A } from './b.ts'`, './b.ts', 'http/b.ts', 'type'],
  [`export type { A } from './b.ts'`, './b.ts', 'http/b.ts', 'type'],
  [`let a: import('./b.ts').A`, './b.ts', 'http/b.ts', 'type'],
  [`import { a } from '../../package.json'`, '../../package.json', '../package.json', 'static'],
])('%s', (text, specifier, to, kind) => {
  expect(importsIn(treeOf('http/a.ts', text))).toEqual([{ specifier, to, kind, node: expect.anything() }])
})

it.each([
  [`// import { a } from './b.ts'`],
  ["const starter = `import { a } from './b.ts'`"],
  [`export const from = './b.ts'`],
  [`const b = './b.ts'\nvoid import(b)`],
])('%s -> none', (text) => {
  expect(importsIn(treeOf('http/a.ts', text))).toEqual([])
})

it('what is loaded along: what static imports lead to, and not what waits for a call or is a type', () => {
  const loaded = loadedWith('cli/run.ts')
  expect([...loaded].slice(0, 3)).toEqual(['cli/run.ts', 'commander', 'input/did-you-mean.ts'])
  expect(loaded).toContain('runtime/host.ts')
  expect(loaded).not.toContain('runtime/program.ts')
})
