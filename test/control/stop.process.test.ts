import { expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import { askControl, controlErrorBody } from '../helpers/control.ts'
import { startSandbox } from '../helpers/sandbox.ts'

it('POST /_sandbox/stop -> 202, and whoever runs the sandbox is told, once for each call', async () => {
  const stops: string[] = []
  const sandbox = await createSandbox({}, { onStop: () => stops.push('stop') })
  onTestFinished(() => sandbox.close())
  const { status, json } = await askControl(sandbox, 'POST', '/stop')
  expect([status, json, stops]).toEqual([202, { status: 'stopping' }, ['stop']])
})

it('nobody is there to be told -> the sandbox closes its servers', async () => {
  const sandbox = await startSandbox()
  const { url } = await sandbox.listen()
  expect((await askControl(sandbox, 'POST', '/stop')).status).toBe(202)
  await expect(fetch(`${url}/_sandbox/health`)).rejects.toThrow('fetch failed')
})

it('a body was meant for another path -> 400, and it goes on', async () => {
  const sandbox = await startSandbox()
  const { url } = await sandbox.listen()
  expect((await askControl(sandbox, 'POST', '/stop', { now: true })).json).toEqual(
    controlErrorBody('INVALID', 'This request must have no body.'),
  )
  expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200)
})
