import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import { drawn } from '../setup/samples.ts'

const levels = 100_000

function nested(wrap: (inner: unknown) => object): object {
  let value: object = {}
  for (let level = 0; level < levels; level++) value = wrap(value)
  return value
}

const circle: Record<string, unknown> = {}
circle['metadata'] = circle

/** Values on which a recursive function reaches the end of the stack. */
const deepValues = {
  objects: nested((metadata) => ({ metadata })),
  lists: nested((inner) => [inner]),
  circle,
}

// oxlint-disable-next-line typescript/no-explicit-any -- what callers without types pass
type Anything = any

const options: Record<string, (deep: Anything) => object> = {
  fixtures: (deep) => ({ fixtures: deep }),
  'a list of fixtures': (deep) => ({ fixtures: [deep] }),
  'a row': (deep) => ({ fixtures: { customers: [{ id: 'cus_1', metadata: deep }] } }),
  'an id': (deep) => ({ fixtures: { customers: [{ id: deep }] } }),
  'a stub': (deep) => ({ fixtures: { stubs: [{ method: 'GET', path: '/v2/x', body: deep }] } }),
  'an account': (deep) => ({ fixtures: { account: deep } }),
  'a sandbox part': (deep) => ({ fixtures: { sandbox: deep } }),
  scenarios: (deep) => ({ scenarios: deep }),
  'a list of scenarios': (deep) => ({ scenarios: [deep] }),
  'a rule': (deep) => ({ scenarios: { name: 'x', description: 'x', rules: [{ on: '*', effect: deep }] } }),
  'a body of a rule': (deep) => ({
    scenarios: {
      name: 'x',
      description: 'x',
      rules: [{ on: '*', effect: { rewrite: [{ op: 'add', path: '/a', value: deep }] } }],
    },
  }),
  assumptions: (deep) => ({ assume: deep }),
  'one assumption': (deep) => ({ assume: { default_page_size: deep } }),
  generate: (deep) => ({ generate: deep }),
  seed: (deep) => ({ seed: deep }),
  clock: (deep) => ({ clock: deep }),
  environment: (deep) => ({ environment: deep }),
  scenarioLibrary: (deep) => ({ scenarioLibrary: deep }),
  calibrated: (deep) => ({ calibrated: deep }),
  corsOrigin: (deep) => ({ corsOrigin: deep }),
  workspaceTtl: (deep) => ({ workspaceTtl: deep }),
  'an unknown option': (deep) => ({ unknown: deep }),
}

const calls: Record<string, (sandbox: Anything, deep: Anything) => unknown> = {
  'state.replace': (sandbox, deep) => sandbox.state.replace(deep),
  'state.replace of rows': (sandbox, deep) => sandbox.state.replace({ customers: deep }),
  'state.put': (sandbox, deep) => sandbox.state.put('customers', 'cus_x', deep),
  'state.put of metadata': (sandbox, deep) => sandbox.state.put('customers', 'cus_x', { metadata: deep }),
  'state.put of the account': (sandbox, deep) => sandbox.state.put('account', 'account', deep),
  'state.patch': (sandbox, deep) => sandbox.state.patch('customers', 'cus_ada', deep),
  'state.patch of metadata': (sandbox, deep) =>
    sandbox.state.patch('customers', 'cus_ada', { metadata: deep }),
  'state.patch of the account': (sandbox, deep) => sandbox.state.patch('account', 'account', deep),
  'state.putStubs': (sandbox, deep) => sandbox.state.putStubs(deep),
  'state.putStubs of a body': (sandbox, deep) =>
    sandbox.state.putStubs([{ method: 'GET', path: '/v2/x', body: deep }]),
  'state.list': (sandbox, deep) => sandbox.state.list('customers', deep),
  'scenarios.register': (sandbox, deep) => sandbox.scenarios.register(deep),
  'scenarios.register of a rule': (sandbox, deep) =>
    sandbox.scenarios.register({
      name: 'x',
      description: 'x',
      rules: [{ on: '*', when: { body: deep }, effect: { latency: 0 } }],
    }),
  'scenarios.activate': (sandbox, deep) => sandbox.scenarios.activate(deep),
  'scenarios.switch': (sandbox, deep) => sandbox.scenarios.switch({ on: deep }),
  'requests.list': (sandbox, deep) => sandbox.requests.list({ text: deep }),
  'requests.verify': (sandbox, deep) => sandbox.requests.verify(deep),
  'requests.verify of a body': (sandbox, deep) => sandbox.requests.verify({ body: deep }),
  'requests.verify in order': (sandbox, deep) => sandbox.requests.verify({ in_order: [{ body: deep }] }),
  'requests.replay of a body': (sandbox, deep) => sandbox.requests.replay('req_default_1', { body: deep }),
  'workspaces.create with fixtures': (sandbox, deep) => sandbox.workspaces.create({ fixtures: deep }),
  'workspaces.create with scenarios': (sandbox, deep) => sandbox.workspaces.create({ scenarios: [deep] }),
  'clock.set': (sandbox, deep) => sandbox.clock.set(deep),
  'clock.advance': (sandbox, deep) => sandbox.clock.advance(deep),
  'simulate.transaction': (sandbox, deep) => sandbox.simulate.transaction(deep),
  restore: (sandbox, deep) => sandbox.restore(deep),
  snapshot: (sandbox, deep) => sandbox.snapshot(deep),
  workspace: (sandbox, deep) => sandbox.workspace(deep),
}

/** The class of the error with which a value is refused. */
async function refusalOf(run: () => unknown): Promise<string> {
  try {
    await run()
    return 'no refusal'
  } catch (error) {
    return error instanceof Error ? error.name : 'no error'
  }
}

const refusals = /^(OptionsError|DocumentError|InvalidError|NotFoundError)$/

describe.each(Object.entries(deepValues))(
  '%s of 100,000 levels, or one that contains itself',
  (_name, deep) => {
    it.each(drawn(Object.entries(options)))(
      'as %s of createSandbox -> refused',
      async (_option, optionsWith) => {
        expect(await refusalOf(() => createSandbox(optionsWith(deep)))).toMatch(refusals)
      },
    )

    it('in each member of the library -> refused', async () => {
      const sandbox = await createSandbox()
      await sandbox.fetch('/v2/customers')
      for (const [member, call] of Object.entries(calls)) {
        expect(`${member}: ${await refusalOf(async () => call(sandbox, deep))}`).toMatch(
          new RegExp(`^${member}: (${refusals.source.slice(2, -2)})$`),
        )
      }
      expect(sandbox.health().status).toBe('ok')
    })
  },
)
