import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { join } from 'node:path'
import { Rolldown } from 'tsdown'
import { expect, it } from 'vitest'
import { usedNames } from '../../scripts/package/used-names.ts'
import { customerMaker } from '../../src/generate/made-customer.ts'
import type { GeneratedRows } from '../../src/generate/making.ts'
import type { ProductRow } from '../../src/store/rows.ts'
import { folderWith } from '../helpers/fake-io.ts'
import { readJson } from '../helpers/consumer.ts'
import { bin } from '../helpers/processes.ts'

it('the packed program makes up the names, streets and companies that all of Faker makes up', async () => {
  const options = ['--customers', '2000', '--seed', '7']
  const { stdout } = await promisify(execFile)(process.execPath, [bin, 'generate', ...options], {
    maxBuffer: 2 ** 26,
  })
  const { products } = (await readJson('fixtures/default.json')) as unknown as { products: ProductRow[] }
  const make = customerMaker({ seed: 7, products, rounding: 'down' })
  const rows = Array.from({ length: 2000 }, (_, place) => make(place))
  expect(madeUp(JSON.parse(stdout) as GeneratedRows)).toEqual(rows.flatMap(madeUp).toSorted())
})

/** What Faker gives, by the id of the row. */
function madeUp({
  customers,
  transaction_intents,
}: Pick<GeneratedRows, 'customers' | 'transaction_intents'>) {
  return [
    ...customers.map(({ id, first_name, last_name, address }) => [
      id,
      first_name,
      last_name,
      address?.street_line1,
    ]),
    ...transaction_intents.map(({ id, merchant_name }) => [id, merchant_name]),
  ]
    .map((row) => row.join())

    .toSorted()
}

it.each([
  ['base-1.js', 'var A=class{animal=new B(this);}', 'no longer has the modules company, helpers, location'],
  ['en-1.js', 'export const e = { metadata: { title: "" } }', 'no longer has person.first_name'],
  ['en-1.js', 'export const e = {}, f = {}', 'is no longer one object'],
])('another layout of Faker in %s stops the build: %s', async (name, text, message) => {
  const path = `node_modules/@faker-js/faker/dist/${name}`
  const folder = await folderWith({
    [path]: text,
    'node_modules/@faker-js/faker/package.json': { type: 'module' },
  })
  const building = Rolldown.build({
    input: join(folder, path),
    plugins: [usedNames()],
    write: false,
    logLevel: 'silent',
  })
  await expect(building).rejects.toThrow(message)
})
