import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { packageRoot } from '../../../src/runtime/host.ts'
import { block, code } from '../markdown.ts'

/** Returns a section with an interface and its members. */
export function interfaceSection(module: string, name: string): string {
  return [`## ${name}\n`, `${textOf(interfaceOf(module, name))}\n`, memberList(module, name)].join('\n')
}

/** Returns the members of an interface as a list, with their docstrings. */
export function memberList(module: string, name: string): string {
  const members = [...interfaceOf(module, name).members].flatMap((member) =>
    member.name && isPublic(member) ? [`- ${code(signature(member))}${docOf(member)}`] : [],
  )
  return [...members, ''].join('\n')
}

/** Returns an exported function or value of a module, with its docstring and examples. */
export function exportedEntry(module: string, name: string): string {
  const source = sourceOf(module)
  for (const node of source.statements) {
    if (ts.isFunctionDeclaration(node) && node.name?.text === name) {
      return `- ${code(signature(node).replace(/^export function /, ''))}${docOf(node)}\n`
    }
    if (!ts.isVariableStatement(node)) continue
    const [declaration] = node.declarationList.declarations
    if (declaration?.name.getText(source) === name) return `- ${code(name)}${docOf(node)}\n`
  }
  throw new Error(`${module} exports no ${name}`)
}

function interfaceOf(module: string, name: string): ts.InterfaceDeclaration | ts.ClassDeclaration {
  const declared = sourceOf(module).statements.find(
    (node): node is ts.InterfaceDeclaration | ts.ClassDeclaration =>
      (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) && node.name?.text === name,
  )
  if (!declared) throw new Error(`${module} declares no ${name}`)
  return declared
}

function sourceOf(module: string): ts.SourceFile {
  const path = join(packageRoot(), 'src', module)
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
}

function isPublic(member: ts.TypeElement | ts.ClassElement): boolean {
  return !ts.isConstructorDeclaration(member) && !(member.name && ts.isPrivateIdentifier(member.name))
}

/** Returns the declaration of a member, without its body. */
function signature(member: ts.TypeElement | ts.ClassElement | ts.FunctionDeclaration): string {
  const end = 'body' in member && member.body ? (member.body as ts.Block).getStart() : member.getEnd()
  return member
    .getSourceFile()
    .text.slice(member.getStart(), end)
    .replaceAll(/\s+/g, ' ')
    .replace(/^readonly /, '')
    .trim()
}

/** Returns the docstring of a member, with the errors that it throws and its examples. */
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

/** Returns the text of a tag. TypeScript parses a type in braces as a part of the tag and not of its comment. */
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
