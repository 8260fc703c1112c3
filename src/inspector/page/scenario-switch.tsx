// Switches a scenario on and off for the workspace, without a word of the others: several may switch at once.
import { useLayoutEffect, useRef } from 'hono/jsx/dom'
import { useAct, useCanChange, useSession } from './session.ts'

interface Props {
  name: string
  isOn: boolean
  /** Called with the active scenarios. */
  onSwitched: (active: readonly string[]) => void
}

export function ScenarioSwitch({ name, isOn, onSwitched }: Props) {
  const { source, route } = useSession()
  const act = useAct()
  const canChange = useCanChange()
  const box = useRef<HTMLInputElement>(null)
  /** The requested position, until the answer arrives. */
  const requested = useRef<boolean | undefined>(undefined)
  // Also where it was switched and refused.
  useLayoutEffect(() => {
    if (box.current) box.current.checked = requested.current ?? isOn
  })
  const change = async (event: Event): Promise<void> => {
    const on = (event.target as HTMLInputElement).checked
    requested.current = on
    const body = on ? { on: [name] } : { off: [name] }
    let active: readonly string[] | undefined
    await act(
      async () => {
        const { workspace } = route
        const path = '/scenarios/active'
        ;({ active } = await source.ask<{ active: string[] }>('PATCH', path, { workspace, body }))
      },
      `${name} is ${on ? 'on' : 'off'}.`,
    )
    requested.current = undefined
    if (active) onSwitched(active)
    else if (box.current) box.current.checked = isOn
  }
  return (
    <input
      ref={box}
      type="checkbox"
      role="switch"
      aria-label={name}
      disabled={!canChange}
      onChange={(event: Event) => void change(event)}
    />
  )
}
