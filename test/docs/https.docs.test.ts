import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/runtime/host.ts'
import { blocksOf } from '../helpers/markdown-blocks.ts'
import { partnerProject, saveFile } from '../helpers/partner-project.ts'
import { launch, started } from '../helpers/processes.ts'

const page = readFileSync(join(packageRoot(), 'docs/https.md'), 'utf8')

/** The clients of the table with the commands of their lines. */
const clients = [...page.matchAll(/^\| (\S[^|]*?) +\| ([^|]*`(?:curl|\w+=|keytool)[^|]*?) +\|$/gm)].map(
  ([, client = '', how = '']) => ({
    client,
    commands: [...how.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command),
  }),
)

/** The programs of the commands: each calls the sandbox at the URL, and fails if the certificate is not trusted. */
const programs = (url: string): Readonly<Record<string, string>> => ({
  'client.js': `if (!(await fetch('${url}')).ok) process.exit(1)`,
  'client.py': `
import importlib.util, os, urllib.request
if 'SSL_CERT_FILE' in os.environ:
    assert urllib.request.urlopen('${url}').status == 200
elif importlib.util.find_spec('requests'):
    import requests
    assert requests.get('${url}').ok
`,
  'go.mod': 'module client\n',
  'client_test.go': `package client
import ("net/http"; "testing")
func TestCall(t *testing.T) {
  answer, err := http.Get("${url}")
  if err != nil || answer.StatusCode != 200 { t.Fatal(err) }
}
`,
  'Client.java': `
import java.net.URI;
import java.net.http.*;
public class Client {
  public static void main(String[] words) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("${url}")).build();
    var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) System.exit(1);
  }
}
`,
})

/** Whether a program of a command is installed; Java runs a source file only with its compiler. */
function isInstalled(program: string): boolean {
  if (program === 'keytool') {
    const { stdout } = spawnSync('java', ['--list-modules'], { encoding: 'utf8' })
    return stdout?.includes('jdk.compiler') ?? false
  }
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

it('each client of the page calls a sandbox whose authority it trusts', { timeout: 120_000 }, async () => {
  const folder = await partnerProject()
  const tls = ['--tls', 'self-signed', '--tls-dir', join(folder, 'certificates')]
  const { port } = await started(tls)
  for (const [name, text] of Object.entries(programs(`https://localhost:${port}/`)))
    await saveFile(folder, name, text)
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` }
  for (const name of ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'])
    Reflect.deleteProperty(env, name)
  expect(clients.map(({ client }) => client)).toEqual([
    'curl',
    'Node',
    'Python, `urllib`, httpx',
    'Python, requests',
    'Go',
    'Java',
    'our verbs',
  ])
  for (const { client, commands } of clients) {
    const [first = ''] = commands
    const program = first.split(' ').find((word) => !word.includes('=')) ?? ''
    if (!isInstalled(program)) {
      process.stderr.write(`skipped, as ${program} is not installed: ${client}\n`)
      continue
    }
    const script = commands
      .filter((command) => command !== 'start')
      .join('\n')
      .replace('…', 'Client.java')
      .replaceAll('localhost:4010', `localhost:${port}`)
    expect(() => execFileSync('sh', ['-e', '-c', script], { cwd: folder, env, stdio: 'pipe' })).not.toThrow()
  }
})

it('the recipe with MSW hands the calls of the provider to the sandbox', { timeout: 60_000 }, async () => {
  const recipe = blocksOf(page).find(({ code }) => code.includes('msw/node'))?.code ?? ''
  const folder = await partnerProject()
  symlinkSync(join(packageRoot(), 'node_modules/msw'), join(folder, 'node_modules/msw'))
  const call = `
    const headers = { authorization: 'Bearer ' + sandbox.apiKey }
    const answer = await fetch('https://api.provider.example/v2/rewards/rwd_ada_pending', { headers })
    console.log(answer.status, (await answer.json()).id)`
  await saveFile(folder, 'recipe.js', recipe + call)
  const child = launch([join(folder, 'recipe.js')])
  expect(await child.ended).toBe(0)
  expect(child.out()).toBe('200 rwd_ada_pending\n')
})
