import { readFileSync, writeFileSync } from 'node:fs'
import { en, Faker } from '@faker-js/faker'
import { describe, expect, it } from 'vitest'
import { Names } from '../../src/generate/faker-names.ts'
import { RandomStream } from '../../src/generate/random-stream.ts'

const file = 'src/generate/english.generated.json'

const words = {
  first_names: en.person?.first_name,
  last_names: en.person?.last_name?.generic,
  last_name_patterns: en.person?.last_name_pattern?.generic,
  street_names: en.location?.street_name,
  street_suffixes: en.location?.street_suffix,
  street_patterns: en.location?.street_pattern,
  legal_entity_types: en.company?.legal_entity_type,
  company_patterns: en.company?.name_pattern,
}

function randomizer(seed: number): { next(): number; seed(): void } {
  const random = new RandomStream(seed)
  return { next: () => random.next(), seed: () => undefined }
}

describe('names', () => {
  it('have the words of Faker, which UPDATE_DOCS=1 copies', () => {
    const text = `${JSON.stringify(words)}\n`
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, text)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('are those that Faker chooses by the same numbers', () => {
    const ours = new Names(randomizer(7))
    const faker = new Faker({ locale: en, randomizer: randomizer(7) })
    for (let round = 0; round < 2_000; round++) {
      expect([ours.firstName(), ours.lastName(), ours.street(), ours.company()]).toEqual([
        faker.person.firstName(),
        faker.person.lastName(),
        faker.location.street(),
        faker.company.name(),
      ])
    }
  })
})
