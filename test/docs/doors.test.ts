import { describe, expect, it } from 'vitest'
import { doors, verbRoutes } from '../../scripts/docs/doors.ts'

describe('every verb through every door', () => {
  it('each method of a path of the control plane has a member of the library, or a reason why not, and never both', () => {
    expect(
      doors().filter(({ library, whyNoLibrary }) => (library === undefined) === (whyNoLibrary === undefined)),
    ).toEqual([])
  })

  it('each has a verb of the command line, or a reason why not, and never both', () => {
    expect(
      doors().filter(({ verbs, whyNoVerb }) => (verbs.length === 0) === (whyNoVerb === undefined)),
    ).toEqual([])
  })

  it('each path that a verb names is there', () => {
    const known = doors().map(({ method, path }) => `${method} ${path}`)
    const named = verbRoutes()
    expect(named.filter(({ route }) => !known.includes(route))).toEqual([])
    expect(named.length).toBeGreaterThan(30)
  })
})
