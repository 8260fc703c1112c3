// Writes a copied test for pytest, with Python's standard library alone.
import { ExactNumber } from '../../../json/exact-number.ts'
import { stringify } from '../../../json/stringify.ts'
import type { CopiedTest, Credential, Expected } from './copied-test.ts'
import type { Instead, Path } from './javascript.ts'
import { joinedHeaders } from './sent-again.ts'

/** A file of one test, which passes with a running sandbox. */
export function asPytestTest(test: CopiedTest): string {
  const { title, sandbox, workspace, scenario, comments, expected } = test
  const name = title
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
  const created = { ...workspace, ...(scenario && { scenarios: [scenario] }) }
  const needs = Object.entries(sandbox).flatMap(([option, value]) => startOptions(option, value))
  return [
    `# Run it with: npx partner-rewards-sandbox exec${needs.map((each) => ` ${each}`).join('')} -- python3 -m pytest`,
    ...comments.map((comment) => `# ${comment}`),
    'import http.client',
    'import json',
    'import os',
    'from urllib.parse import urlsplit',
    ...(expected.kind === 'answer' ? [] : ['', 'import pytest']),
    '',
    'URL = urlsplit(os.environ["SANDBOX_URL"])',
    '',
    '',
    'def send(method, path, headers, body=None, timeout=10):',
    '    connection = http.client.HTTPConnection(URL.hostname, URL.port, timeout=timeout)',
    '    connection.request(method, URL.path + path, body, headers)',
    '    response = connection.getresponse()',
    '    return response.status, response.read().decode()',
    '',
    '',
    'def control(method, path, body=None):',
    '    status, text = send(method, "/_sandbox" + path, {"content-type": "application/json"}, json.dumps(body))',
    '    assert status < 300, text',
    '    return json.loads(text or "null")',
    '',
    '',
    `def test_${name}():`,
    `    workspace = control("POST", "/workspaces", ${python(created, 4)})`,
    '    try:',
    ...asserted(test),
    '    finally:',
    '        control("DELETE", "/workspaces/" + workspace["name"])',
    '',
  ].join('\n')
}

function startOptions(option: string, value: unknown): string[] {
  if (option !== 'assume' || typeof value !== 'object' || value === null)
    return [`--${option} ${String(value)}`]
  return Object.entries(value).map(([id, chosen]) => `--assume ${id}=${String(chosen)}`)
}

function asserted({ call, credential, expected, isVarying }: CopiedTest): string[] {
  const pairs = [
    ...keyLines(credential),
    ...[...joinedHeaders(call)].map(
      ([name, value]) => `            ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
    ),
  ]
  const words = [
    JSON.stringify(call.method),
    JSON.stringify(call.target),
    'headers',
    ...(call.body ? [`${JSON.stringify(call.body.text)}.encode()`] : []),
  ].join(', ')
  return [
    ...(credential.kind === 'key'
      ? [
          `        key = control("GET", ${JSON.stringify(`/state/api_keys/${credential.id}?workspace=`)} + workspace["name"])["api_key"] + "." + workspace["name"]`,
        ]
      : []),
    ...(pairs.length === 0 ? ['        headers = {}'] : ['        headers = {', ...pairs, '        }']),
    ...outcome(words, expected, isVarying),
  ]
}

function outcome(words: string, expected: Expected, isVarying: CopiedTest['isVarying']): string[] {
  if (expected.kind === 'timeout')
    return ['        with pytest.raises(TimeoutError):', `            send(${words}, timeout=0.3)`]
  if (expected.kind === 'spoiled')
    return [
      '        with pytest.raises((OSError, ValueError, http.client.HTTPException)):',
      `            json.loads(send(${words})[1])`,
    ]
  const { status, body, isBodyWhole } = expected
  const head = [`        status, text = send(${words})`, `        assert status == ${status}`]
  if (body === null) return [...head, '        assert text == ""']
  if (!isBodyWhole) return [...head, '        # The journal has only the beginning of the body.']
  if (typeof body === 'string') return [...head, `        assert text == ${JSON.stringify(body)}`]
  const value = python(body, 8, (text, path) =>
    isVarying(text, path) ? `str(body${path.map((key) => `[${JSON.stringify(key)}]`).join('')})` : undefined,
  )
  return [...head, '        body = json.loads(text)', `        assert body == ${value}`]
}

function keyLines(credential: Credential): string[] {
  const line = (value: string): string[] => [`            "authorization": ${value},`]
  switch (credential.kind) {
    case 'own':
      return line('"Bearer " + workspace["api_key"]')
    case 'key':
      return line('"Bearer " + key')
    case 'text':
      return line(JSON.stringify(credential.text))
    case 'none':
      return []
  }
}

/** A JSON value as Python. @param instead writes some values in another way, by their path. */
function python(value: unknown, indent: number, instead: Instead = () => undefined, path: Path = []): string {
  const other = instead(value, path)
  if (other !== undefined) return other
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object' || value instanceof ExactNumber) return stringify(value)
  const inner = ' '.repeat(indent + 4)
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((item: unknown, at) => python(item, indent + 4, instead, [...path, at]))]
    : [
        '{',
        '}',
        Object.entries(value).map(([key, field]) => {
          const name = JSON.stringify(key)
          return `${name}: ${python(field, indent + 4, instead, [...path, key])}`
        }),
      ]
  if (parts.length === 0) return open + close
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${' '.repeat(indent)}${close}`
}
