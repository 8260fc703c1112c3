// Puts the workspace that is shown back to how it began.
import { ConfirmButton } from './confirm-button.tsx'
import { useAct, useSession } from './session.ts'

export function ResetButton({ onReset = () => undefined }: { onReset?: () => void }) {
  const { source, route } = useSession()
  const { workspace } = route
  const act = useAct()
  const reset = (): Promise<unknown> => source.ask('POST', '/reset', { workspace })
  return (
    <ConfirmButton
      name="Reset"
      question={`Reset ${workspace} to its initial state? This also deletes its calls.`}
      onConfirm={() => void act(reset, `${workspace} was reset.`).then(onReset)}
    />
  )
}
