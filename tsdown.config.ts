import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/bin.ts', 'src/index.ts'],
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Every library goes into dist: users install one small package and `dependencies` stays empty.
  // Dynamic imports stay chunks of their own, so what a start does not need (faker, yaml, pdf) costs it nothing.
  deps: { alwaysBundle: [/.*/], onlyBundle: false },
  // The binary has no types to offer.
  dts: { entry: 'src/index.ts' },
  minify: true,
})
