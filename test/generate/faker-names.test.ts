import { en, Faker } from '@faker-js/faker'
import { describe, expect, it } from 'vitest'
import { Names } from '../../src/generate/faker-names.ts'
import { RandomStream } from '../../src/generate/random-stream.ts'

function randomizer(seed: number): { next(): number; seed(): void } {
  const random = new RandomStream(seed)
  return { next: () => random.next(), seed: () => undefined }
}

describe('names', () => {
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
