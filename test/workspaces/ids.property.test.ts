import fc from 'fast-check'
import { expect, it } from 'vitest'
import { idAt } from '../../src/runtime/ids.ts'
import { createdKey } from '../helpers/created-key.ts'
import { startSandbox } from '../helpers/sandbox.ts'
import { samples } from '../setup/samples.ts'

/** Names that differ little are as likely as others. */
const name = fc.oneof(
  fc.nat(5000).map((number) => `w${number}`),
  fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
)
const names = fc.uniqueArray(
  name.filter((text) => text !== 'default'),
  { minLength: 2, maxLength: 5 },
)

it('any workspaces of other names, default among them -> no id of 2,000 creates of each is equal', () => {
  fc.assert(
    fc.property(names, fc.integer(), (salts, seed) => {
      const ids = new Set<string>()
      for (const salt of ['', ...salts]) {
        for (let place = 0; place < 2000; place++) ids.add(idAt(seed, place, 'int', salt))
      }
      expect(ids.size).toBe(2000 * (salts.length + 1))
    }),
    { numRuns: samples(50) },
  )
})

it('the same calls in workspaces of other names -> other ids; in those of the same names -> the same', async () => {
  const [one, other] = [await startSandbox(), await startSandbox()]
  await fc.assert(
    fc.asyncProperty(names, fc.integer({ min: 1, max: 10 }), async (these, times) => {
      const created = async (sandbox: typeof one): Promise<string[]> => {
        const ids: string[] = []
        for (const workspace of [...these, 'default'].map((of) => sandbox.workspace(of))) {
          workspace.reset()
          for (let at = 0; at < times; at++) {
            const answer = await workspace.fetch('/v2/keys', { method: 'POST' })
            const { key } = (await answer.json()) as { key: string }
            // The name of the workspace is the suffix of the id.
            ids.push(createdKey(workspace.state.list('api_keys'), key).id.split('.')[0] ?? '')
          }
          if (workspace.name !== 'default') sandbox.workspaces.delete(workspace.name)
        }
        return ids
      }
      const ids = await created(one)
      expect(new Set(ids).size).toBe(times * (these.length + 1))
      expect(await created(other)).toEqual(ids)
    }),
    { numRuns: samples(20) },
  )
})
