// Copies the words of Faker that generated customers have, so that the package does not bundle all of Faker.
import { en } from '@faker-js/faker'

export function englishNames(): string {
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
  return `${JSON.stringify(words)}\n`
}
