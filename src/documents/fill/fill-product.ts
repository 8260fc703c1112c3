// Fills in what a product leaves out of its rewards program; a program that says nothing counts points.
import { isJsonObject } from '../../contract/formats.ts'
import type { Fields } from './filler.ts'

export function fillProductRewards(row: Fields): Fields | undefined {
  if (!isJsonObject(row['rewards'])) return undefined
  const rewards = row['rewards']
  const currency = rewards['currency'] ?? 'POINTS'
  const isUnit = typeof currency === 'string' && currency.length > 3
  const unit = isUnit ? currency.toLowerCase().replaceAll('_', ' ') : 'rewards'
  const filled = {
    currency,
    symbol: isUnit ? unit : currency,
    description: `Your ${unit}`,
    precision: 2,
    special_categories: [],
    ...rewards,
    categories: eachObject(rewards['categories'] ?? [], (category) => ({
      description: category['name'],
      earn_rate: '1',
      type: 'STANDARD',
      merchants: [],
      ...category,
    })),
  }
  return { rewards: filled }
}

function eachObject(list: unknown, change: (item: Fields) => Fields): unknown {
  if (!Array.isArray(list)) return list
  return list.map((item: unknown) => (isJsonObject(item) ? change(item) : item))
}
