import { expect, test } from 'vitest'
import ts from 'typescript'
import { assumptionCatalogue, assumptionIds } from '../../src/contract/assumptions.ts'
import { sourceFiles, sourceTree } from '../helpers/imports.ts'

/** The texts and members that code names, so that an assumption that is only declared or only documented is none. */
function named(): Set<string> {
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return
    if (ts.isPropertyAssignment(node)) {
      // A documented assumption alone is no use of it.
      if (node.name.getText() !== "'x-assumption'") visit(node.initializer)
      return
    }
    if (ts.isStringLiteralLike(node)) names.add(node.text)
    if (ts.isPropertyAccessExpression(node)) names.add(node.name.text)
    ts.forEachChild(node, visit)
  }
  for (const file of sourceFiles) visit(sourceTree(file))
  return names
}

const names = named()

test.each(assumptionIds.filter((id) => assumptionCatalogue[id].alternatives.length > 0))(
  '%s, which has alternatives, decides something in the code',
  (id) => {
    expect(names).toContain(id)
  },
)
