import { expect, it } from 'vitest'
import { resources } from '../../src/control/index.ts'
import { isOpen } from '../../src/control/open-paths.ts'

it('the open paths are those whose operations are all outside the guard', () => {
  const paths = resources.map(({ path }) => path)
  const unguarded = resources.filter(({ operations }) => operations.every(({ guard }) => guard === 'none'))
  expect(paths.filter(isOpen)).toEqual(unguarded.map(({ path }) => path))
  expect(paths.filter(isOpen)).toEqual(['/_sandbox/health', '/_sandbox/ready'])
})
