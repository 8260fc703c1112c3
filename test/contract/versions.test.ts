import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  chooseVersion,
  environments,
  isSupported,
  releasedVersions,
  supportedVersions,
} from '../../src/contract/versions.ts'
import { samples } from '../setup/samples.ts'
import { unicodeText } from '../helpers/unicode-text.ts'

describe('supported versions', () => {
  test('the released ones are those that the contract names, oldest first', () => {
    expect(releasedVersions).toEqual(['2025-05-05', '2026-10-13'])
  })

  test.each([
    ['sandbox', ['2025-05-05', '2026-10-13', 'latest']],
    ['production', ['2025-05-05', '2026-10-13']],
  ] as const)('%s serves %j', (environment, versions) => {
    expect(supportedVersions(environment)).toEqual(versions)
  })
})

describe('choosing', () => {
  test.each([
    [undefined, '2026-10-13', 'sandbox', { version: '2026-10-13', source: 'saved' }],
    [undefined, '2025-05-05', 'production', { version: '2025-05-05', source: 'saved' }],
    ['2025-05-05', '2026-10-13', 'sandbox', { version: '2025-05-05', source: 'header' }],
    ['2026-10-13', '2025-05-05', 'production', { version: '2026-10-13', source: 'header' }],
    ['2026-10-13', '2026-10-13', 'sandbox', { version: '2026-10-13', source: 'header' }],
    ['latest', '2025-05-05', 'sandbox', { version: 'latest', source: 'header' }],
  ] as const)('header %j, saved %s, %s -> %j', (header, saved, environment, choice) => {
    expect(chooseVersion(header, saved, environment)).toEqual(choice)
  })

  const inSandbox = 'Supported versions: 2025-05-05, 2026-10-13, latest.'
  const inProduction = 'Supported versions: 2025-05-05, 2026-10-13.'
  test.each([
    ['', 'sandbox', `Unsupported x-service-version ''. ${inSandbox}`],
    ['Latest', 'sandbox', `Unsupported x-service-version 'Latest'. ${inSandbox}`],
    ['2025-05-06', 'sandbox', `Unsupported x-service-version '2025-05-06'. ${inSandbox}`],
    ['2025-05-05 ', 'sandbox', `Unsupported x-service-version '2025-05-05 '. ${inSandbox}`],
    ['constructor', 'sandbox', `Unsupported x-service-version 'constructor'. ${inSandbox}`],
    ['a\nb\u001b[31mé', 'sandbox', `Unsupported x-service-version 'a?b?[31m?'. ${inSandbox}`],
    ['y'.repeat(10_240), 'sandbox', `Unsupported x-service-version '${'y'.repeat(64)}'. ${inSandbox}`],
    ['latest', 'production', `Unsupported x-service-version 'latest'. ${inProduction}`],
    ['2024-01-01', 'production', `Unsupported x-service-version '2024-01-01'. ${inProduction}`],
  ] as const)('%j in %s is refused', (header, environment, refusal) => {
    expect(chooseVersion(header, '2025-05-05', environment)).toEqual({ refusal })
  })

  test('a narrower list of versions can be given', () => {
    expect(chooseVersion('2025-05-05', '2026-10-13', 'sandbox', ['2026-10-13'])).toEqual({
      refusal: "Unsupported x-service-version '2025-05-05'. Supported versions: 2026-10-13.",
    })
  })

  test('any other text is refused with a short message on one line', () => {
    const near = fc
      .tuple(fc.constantFrom(...supportedVersions('sandbox')), unicodeText({ minLength: 1 }))
      .chain(([version, more]) => fc.constantFrom(version + more, more + version))
    const value = fc.oneof(unicodeText({ maxLength: 300 }), near)
    fc.assert(
      fc.property(value, fc.constantFrom(...environments), (header, environment) => {
        fc.pre(!isSupported(header, supportedVersions(environment)))
        const { refusal, version } = chooseVersion(header, '2025-05-05', environment)
        expect(version).toBeUndefined()
        expect(refusal).toMatch(
          /^Unsupported x-service-version '[\x20-\x7e]{0,64}'\. Supported versions: [\w, -]+\.$/,
        )
      }),
      { seed: 3, numRuns: samples(300) },
    )
  })
})
