import { resolve } from 'node:path'
import { defineConfig, type Rolldown, type TsdownBundle, type UserConfig } from 'tsdown'
import { programFile } from './scripts/package/program.ts'
import { writePackageFiles } from './scripts/package/write.ts'

/** What users import, by the name of the file in dist; kits of runners that take modules only are modules. */
const commonJs = { index: 'src/index.ts', probe: 'src/probe/index.ts', jest: 'src/testing/jest.ts' }
/** The parts that the kits share. */
const parts = { kit: 'src/testing/kit-parts.ts' }
const kits = {
  vitest: 'src/testing/vitest.ts',
  playwright: 'src/testing/playwright.ts',
  'node-test': 'src/testing/node-test.ts',
}

const common = {
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Every library goes into dist: users install one small package and `dependencies` stays empty. The test runners are
  // theirs. Dynamic imports stay chunks of their own, so what a start does not need (faker, yaml, pdf) costs it nothing.
  deps: { alwaysBundle: [/^(?!vitest$|@playwright\/test$)/], onlyBundle: false },
  dts: false,
  // Names stay readable in stack traces.
  minify: { compress: true, mangle: { keepNames: { function: true, class: true } }, codegen: true },
} satisfies UserConfig

/** Refuses an environment of Jest without the globals of Node, such as jsdom. */
const requireNodeEnvironment = `if(typeof Response==="undefined")throw new Error("partner-rewards-sandbox/jest needs the globals of Node, such as Response, which testEnvironment 'jsdom' removes: begin the test file with /** @jest-environment node */");`

/** The kits share the library and their own parts with the programs that import them. */
const shareLibrary = (extension: 'cjs' | 'mjs'): Rolldown.Plugin => ({
  name: 'share-library',
  resolveId: {
    filter: { id: /^(?:\.\.\/index|\.\/kit-parts)\.ts$/ },
    handler: (id) => ({
      id: `./${id === './kit-parts.ts' ? 'kit' : 'index'}.${extension}`,
      external: true,
    }),
  },
})

/** V8 keeps a text that has a letter beyond ASCII, or Latin 1, in twice the memory, and reads it twice as slowly. */
const onlyAscii: Rolldown.Plugin = {
  name: 'only-ascii',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type === 'chunk') chunk.code = chunk.code.replace(/[^\0-\x7f]/g, escaped)
    }
  },
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The bundler cannot see that splitting a text does nothing else, and would keep every list of Faker. */
const pureLists: Rolldown.Plugin = {
  name: 'pure-lists',
  transform: {
    filter: { id: /\/@faker-js\/faker\// },
    handler: (code) => code.replace(/(?<=[:=(,])`[^`$]*`\.split\(/g, '/* @__PURE__ */ $&'),
  },
}

const builds: UserConfig[] = [
  // CommonJS, so that Node need not start its loader of modules. The command line, the library and the kits share it.
  {
    ...common,
    entry: { run: 'src/cli/run.ts', index: commonJs.index, probe: commonJs.probe, ...parts },
    format: 'cjs',
    // Its form for browsers is modules, of which the bundler takes what is used.
    alias: { yaml: resolve('node_modules/yaml/browser/dist/index.js') },
    plugins: [pureLists, onlyAscii],
    outputOptions: programFile(resolve('src')),
  },
  // CommonJS as well: that Node need not start its loader of modules saves a start 10 ms.
  { ...common, entry: { bin: 'src/bin.ts' }, format: 'cjs' },
  // And Jest requires what it loads.
  {
    ...common,
    entry: { jest: commonJs.jest },
    format: 'cjs',
    plugins: [shareLibrary('cjs')],
    // Before the library is loaded, as that fails in jsdom by an error that names no cause.
    outputOptions: { banner: requireNodeEnvironment },
  },
  { ...common, entry: kits, plugins: [shareLibrary('mjs')] },
  { ...common, entry: { ...commonJs, ...kits }, dts: { emitDtsOnly: true } },
]

/** The page of the inspector: one file, for browsers of the last years. It brings nothing that the others do not. */
const page: UserConfig = {
  ...common,
  format: 'iife',
  entry: { page: 'src/inspector/page/main.tsx' },
  outDir: 'dist/inspector',
  outputOptions: { entryFileNames: '[name].js' },
  platform: 'browser',
  target: 'es2023',
  tsconfig: 'src/inspector/page/tsconfig.json',
  minify: true,
}

/** What the builds wrote; the files beside the code are made when all of it is there. */
const written: TsdownBundle['chunks'][] = []
async function onBuilt({ chunks }: { chunks: TsdownBundle['chunks'] }): Promise<void> {
  written.push(chunks)
  if (written.length === builds.length)
    await writePackageFiles(written.splice(0).flat(), Object.keys(commonJs), Object.keys(parts))
}

export default defineConfig([
  ...builds.map((build) => ({ ...build, hooks: { 'build:done': onBuilt } })),
  page,
])
