import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { packageRoot } from '../../../src/runtime/host.ts'
import { anchor, block, code } from '../markdown.ts'

/** The interfaces of the library that people hold in their hands, by the module that declares them. */
const shown: readonly (readonly [module: string, name: string])[] = [
  ['options.ts', 'SandboxOptions'],
  ['sandbox/types.ts', 'Sandbox'],
  ['sandbox/types.ts', 'SandboxWorkspace'],
  ['sandbox/types.ts', 'SandboxWorkspaces'],
  ['sandbox/types.ts', 'SandboxServer'],
  ['workspaces/workspace-state.ts', 'SandboxState'],
  ['workspaces/workspace-scenarios.ts', 'SandboxScenarios'],
  ['workspaces/workspace-clock.ts', 'SandboxClock'],
  ['workspaces/workspace-simulation.ts', 'SandboxSimulation'],
  ['workspaces/snapshots.ts', 'SandboxSnapshots'],
  ['workspaces/workspace-requests.ts', 'SandboxRequests'],
  ['workspaces/sandbox-coverage.ts', 'SandboxCoverage'],
]

/** The members of the library, with their own words. */
export function libraryPage(): string {
  return `# Library

\`\`\`ts
import { createSandbox } from 'partner-rewards-sandbox'

await using sandbox = await createSandbox({ fixtures: { customers: [{ id: 'cus_1' }] }, clock: '2026-01-01T00:00:00Z' })
const answer = await sandbox.fetch('/v2/customers', { headers: { authorization: 'Bearer sk_sandbox_full' } })
const server = await sandbox.listen() // for clients that need a port: server.url
\`\`\`

Nothing global is touched: any number of sandboxes live side by side in one process. Public types are plain data,
\`Request\` and \`Response\`.

${shown.map(([, name]) => `- [${name}](#${anchor(name)})`).join('\n')}

${shown.map(([module, name]) => section(module, name)).join('\n')}`
}

function section(module: string, name: string): string {
  const path = join(packageRoot(), 'src', module)
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const declared = source.statements.find(
    (node): node is ts.InterfaceDeclaration | ts.ClassDeclaration =>
      (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) && node.name?.text === name,
  )
  if (!declared) throw new Error(`${module} declares no ${name}`)
  const members = [...declared.members].flatMap((member) => {
    const doc = member.name && isPublic(member) ? docOf(member) : undefined
    return doc === undefined ? [] : [`- ${code(signature(member, source))}${doc}`]
  })
  return [`## ${name}\n`, `${textOf(declared)}\n`, ...members, ''].join('\n')
}

function isPublic(member: ts.TypeElement | ts.ClassElement): boolean {
  return !ts.isConstructorDeclaration(member) && !(member.name && ts.isPrivateIdentifier(member.name))
}

/** A member as it is declared, without its body. */
function signature(member: ts.TypeElement | ts.ClassElement, source: ts.SourceFile): string {
  const end = 'body' in member && member.body ? (member.body as ts.Block).getStart(source) : member.getEnd()
  return source.text
    .slice(member.getStart(source), end)
    .replaceAll(/\s+/g, ' ')
    .replace(/^readonly /, '')
    .trim()
}

/** The words of a member, with what it throws and an example. */
function docOf(member: ts.Node): string {
  const text = textOf(member)
  const tags = ts.getJSDocTags(member)
  const throws = tags
    .filter((tag) => tag.tagName.text === 'throws')
    .map((tag) => ` Throws ${plain(ts.getTextOfJSDocComment(tag.comment) ?? '', tag)}`)
  const examples = tags
    .filter((tag) => tag.tagName.text === 'example')
    .map((tag) => `\n\n${indented(block('ts', ts.getTextOfJSDocComment(tag.comment) ?? ''))}`)
  return `${text === '' ? '' : `: ${text}`}${throws.join('')}${examples.join('')}`
}

/** A type in braces belongs to the tag, not to its comment. */
function plain(comment: string, tag: ts.JSDocTag): string {
  const type = ts.isJSDocThrowsTag(tag) ? tag.typeExpression?.type.getText() : undefined
  return [...(type === undefined ? [] : [code(type)]), comment].join(' ').replaceAll(/\s+/g, ' ').trim()
}

function textOf(node: ts.Node): string {
  const [doc] = ts.getJSDocCommentsAndTags(node).filter((part) => ts.isJSDoc(part))
  return (ts.getTextOfJSDocComment(doc?.comment) ?? '').replaceAll(/\s+/g, ' ').trim()
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}
