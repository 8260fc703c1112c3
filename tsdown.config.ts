import { defineConfig } from 'tsdown'
import { writePackageFiles } from './scripts/package/write.ts'

/** What users import, by the name of the file in dist. */
const libraries = {
  index: 'src/index.ts',
  vitest: 'src/testing/vitest.ts',
  playwright: 'src/testing/playwright.ts',
  'node-test': 'src/testing/node-test.ts',
}

export default defineConfig({
  entry: { bin: 'src/bin.ts', ...libraries },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Every library goes into dist: users install one small package and `dependencies` stays empty. The test runners are
  // theirs. Dynamic imports stay chunks of their own, so what a start does not need (faker, yaml, pdf) costs it nothing.
  deps: { alwaysBundle: [/^(?!vitest$|@playwright\/test$)/], onlyBundle: false },
  // The binary has no types to offer.
  dts: { entry: Object.values(libraries) },
  minify: true,
  hooks: { 'build:done': ({ chunks }) => writePackageFiles(chunks) },
})
