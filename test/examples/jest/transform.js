// Makes CommonJS of modules and TypeScript, as ts-jest and Babel do for most projects with Jest.
const { transpileModule, ModuleKind, ScriptTarget } = require('typescript')

exports.process = (text, fileName) => ({
  code: transpileModule(text, {
    fileName: fileName.replace(/\.mjs$/, '.ts'),
    compilerOptions: { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 },
  }).outputText,
})
