// Adds a marker to the start of each function of a file: a call of `entered` with the name of the file.
import ts from 'typescript'

/**
 * @param {string} code TypeScript.
 * @param {string} file its path below src.
 * @returns {string} the code with markers, on the same lines.
 */
export function marked(code, file) {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true)
  const mark = `globalThis.entered?.(${JSON.stringify(file)})`
  /** @type {{ at: number, text: string }[]} */
  const inserts = []
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const { body } = node
      if (ts.isBlock(body)) inserts.push({ at: body.getStart(source) + 1, text: `;${mark};` })
      else inserts.push({ at: body.getStart(source), text: `(${mark}, ` }, { at: body.end, text: ')' })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  let result = code
  for (const { at, text } of inserts.toSorted((a, b) => b.at - a.at)) {
    result = result.slice(0, at) + text + result.slice(at)
  }
  return result
}
