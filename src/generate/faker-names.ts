// Names of people, streets and companies: the English words of Faker, chosen as Faker chooses them.
//
// Faker's own class imports all of its modules, and its English locale all of its lists: together 130 kB of the
// package, ten times as much as these. The lists are a copy; a test compares them, and the names, with those of Faker.
import { SimpleFaker, type Randomizer } from '@faker-js/faker'
import english from './english.generated.json' with { type: 'json' }

/**
 * Chooses names. Equal random numbers give equal names.
 *
 * @example new Names(randomizer).company()   // 'Hessel - Kuhn'
 */
export class Names {
  readonly #helpers: SimpleFaker['helpers']

  constructor(randomizer: Randomizer) {
    this.#helpers = new SimpleFaker({ randomizer }).helpers
  }

  firstName(): string {
    const { generic, ...ofSex } = english.first_names
    const own = ofSex[this.#sex()]
    const names = this.#helpers.weightedArrayElement([
      { value: own, weight: 3 * Math.sqrt(own.length) },
      { value: generic, weight: Math.sqrt(generic.length) },
    ])
    return this.#helpers.arrayElement(names)
  }

  lastName(): string {
    // Faker chooses the sex first, although its last names are the same for all.
    this.#sex()
    return this.#filled(this.#helpers.weightedArrayElement(english.last_name_patterns))
  }

  street(): string {
    return this.#filled(this.#helpers.arrayElement(english.street_patterns))
  }

  company(): string {
    return this.#filled(this.#helpers.arrayElement(english.company_patterns))
  }

  #sex(): 'female' | 'male' {
    return this.#helpers.arrayElement(['female', 'male'] as const)
  }

  /** Returns a pattern with a word for each placeholder, from left to right. */
  #filled(pattern: string): string {
    return pattern.replaceAll(/\{\{([\w.]+)\}\}/g, (_, placeholder: string) => this.#word(placeholder))
  }

  #word(placeholder: string): string {
    switch (placeholder) {
      case 'person.firstName':
        return this.firstName()
      case 'person.lastName':
        return this.lastName()
      case 'person.last_name.generic':
        return this.#helpers.arrayElement(english.last_names)
      case 'location.street_name':
        return this.#helpers.arrayElement(english.street_names)
      case 'location.street_suffix':
        return this.#helpers.arrayElement(english.street_suffixes)
      case 'company.legal_entity_type':
        return this.#helpers.arrayElement(english.legal_entity_types)
      default:
        throw new Error(`no words for ${placeholder}`)
    }
  }
}
