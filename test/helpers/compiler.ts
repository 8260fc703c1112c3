// Compiles files as `tsc` does, and parses each declaration file once for all programs of a test file.
import ts from 'typescript'

export class Compiler {
  readonly #declarations = new Map<string, ts.SourceFile | undefined>()

  /** The errors of files of a folder, as `tsc --noEmit` would print them with the options of a tsconfig.json. */
  errors(folder: string, compilerOptions: object, files: readonly string[]): string {
    const { options, fileNames, errors } = ts.parseJsonConfigFileContent(
      { compilerOptions: { ...compilerOptions, noEmit: true }, files },
      ts.sys,
      folder,
    )
    const program = ts.createProgram(fileNames, options, this.#host(options))
    return ts.formatDiagnostics([...errors, ...ts.getPreEmitDiagnostics(program)], {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => folder,
      getNewLine: () => '\n',
    })
  }

  #host(options: ts.CompilerOptions): ts.CompilerHost {
    const host = ts.createCompilerHost(options)
    return {
      ...host,
      getSourceFile: (name, parsing, ...rest) => {
        if (!/\.d\.[cm]?ts$/.test(name)) return host.getSourceFile(name, parsing, ...rest)
        // Whether a file is CommonJS or a module depends on how a program resolves.
        const format = typeof parsing === 'object' ? parsing.impliedNodeFormat : undefined
        const key = `${format} ${name}`
        if (!this.#declarations.has(key))
          this.#declarations.set(key, host.getSourceFile(name, parsing, ...rest))
        return this.#declarations.get(key)
      },
    }
  }
}
