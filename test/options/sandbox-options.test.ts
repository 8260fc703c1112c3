// The interface that users read is written out beside the table of options: here it is held to that table.
import { readFileSync } from 'node:fs'
import { expect, expectTypeOf, it } from 'vitest'
import {
  defaultSeed,
  libraryNameOf,
  libraryNames,
  optionOf,
  type SandboxOptions,
  type Settings,
} from '../../src/options/index.ts'

/** A list may be given as its only item. */
type Given<Value> = Value extends readonly (infer Item)[] ? Item | readonly Item[] : Value
type OfTable = { [Name in keyof Settings]: Given<Exclude<Settings[Name], undefined>> }

it('has each option of the table with its type, and no other', () => {
  expectTypeOf<keyof SandboxOptions>().toEqualTypeOf<keyof Settings>()
  expectTypeOf<Required<SandboxOptions>>().toExtend<OfTable>()
  expectTypeOf<OfTable>().toExtend<Required<SandboxOptions>>()
})

it('tells the defaults that the table has, and no other', () => {
  const text = readFileSync('src/options/sandbox-options.ts', 'utf8')
  const members = [...text.matchAll(/\/\*\* ([^\n]*) \*\/\n {2}(\w+)\?: /g)]
  expect(members.map(([, , name]) => name).toSorted()).toEqual(libraryNames.map(libraryNameOf).toSorted())
  for (const [, about = '', key] of members) {
    const name = libraryNames.find((option) => libraryNameOf(option) === key)
    const reported = /Default `?([\w,]+)`?\.|\(`(\w+)`, the default\)/.exec(about)
    const defaultValue = name === 'seed' ? defaultSeed : name && optionOf(name).default
    expect([key, reported?.[1] ?? reported?.[2]]).toEqual([key, defaultValue?.toLocaleString('en-US')])
  }
})
