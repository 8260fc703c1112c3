import { describe, expect, it } from 'vitest'
import { asking, printed, refused, said } from '../../helpers/asking.ts'

describe('scenarios of a running sandbox', () => {
  it('on, active, off -> one after the other, each said', async () => {
    const { sandbox, ask } = await asking()
    expect(await ask(['scenarios', 'on', 'slow'])).toEqual(said("In workspace 'default' active: slow\n"))
    expect(await ask(['scenarios', 'on', 'reset', '--format', 'json'])).toEqual(
      printed('{"active":["slow","reset"]}\n'),
    )
    expect(await ask(['scenarios', 'on', 'slow'])).toEqual(
      said("In workspace 'default' active: slow, reset\n"),
    )
    expect(await ask(['scenarios', 'active'])).toEqual(printed('slow\nreset\n'))
    expect(await ask(['scenarios', 'active', '--format', 'json'])).toEqual(
      printed('{"active":["slow","reset"]}\n'),
    )
    expect(await ask(['scenarios', 'off', 'slow'])).toEqual(said("In workspace 'default' active: reset\n"))
    expect(await ask(['scenarios', 'off', 'reset'])).toEqual(
      said("In workspace 'default' no scenario is active\n"),
    )
    expect(await sandbox.scenarios.active()).toEqual([])
  })

  it('--workspace -> in that one', async () => {
    const { sandbox, ask } = await asking()
    await ask(['scenarios', 'on', 'slow', '--workspace', 'w1'])
    expect([await sandbox.scenarios.active(), await sandbox.workspace('w1').scenarios.active()]).toEqual([
      [],
      ['slow'],
    ])
  })

  it('off of one that is not active -> nothing to do', async () => {
    const { ask } = await asking({}, { scenarios: ['reset'] })
    expect(await ask(['scenarios', 'off', 'slow'])).toEqual(said("In workspace 'default' active: reset\n"))
  })

  it.each([
    [['on', 'slw'], "error: unknown scenario 'slw', did you mean 'slow'?\n"],
    [['off', 'slw'], "error: unknown scenario 'slw', did you mean 'slow'?\n"],
    [
      ['off', 'qqqqq'],
      "error: unknown scenario 'qqqqq', 'npx partner-rewards-sandbox scenarios' and GET /_sandbox/scenarios list them\n",
    ],
    [['qqqqq'], "error: unknown scenario 'qqqqq', without a name, all are listed\n"],
    [['on'], "error: missing required argument 'name'\n"],
  ])('scenarios %j -> exit 2, and what acts goes on', async (words, stderr) => {
    const { sandbox, ask } = await asking({}, { scenarios: ['reset'] })
    expect(await ask(['scenarios', ...words])).toEqual(refused(2, stderr))
    expect(await sandbox.scenarios.active()).toEqual(['reset'])
  })
})
