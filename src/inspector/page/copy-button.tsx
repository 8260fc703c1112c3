// A button that copies a text to the clipboard, and shows whether it succeeded.
import { copyText } from './clipboard.ts'
import { useSession } from './session.ts'

export function CopyButton({ name, of, text }: { name: string; of?: string; text: string }) {
  const { say } = useSession()
  return (
    <button
      type="button"
      aria-label={of === undefined ? undefined : `${name} ${of}`}
      onClick={() =>
        void copyText(text).then((isThere) =>
          say(isThere ? 'Copied.' : 'The browser does not let this page copy: select the text instead.'),
        )
      }
    >
      {name}
    </button>
  )
}
