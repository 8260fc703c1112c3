// Asks for the token: that of --admin-token, or that of a partner.
import { token } from './token.ts'
import { Heading } from './heading.tsx'

export function TokenForm() {
  return (
    <form
      class="card"
      onSubmit={(event: Event) => {
        event.preventDefault()
        const field = (event.target as HTMLFormElement).elements.namedItem('token')
        if (field instanceof HTMLInputElement && field.value !== '') token.set(field.value)
      }}
    >
      <Heading>Token</Heading>
      <p>
        This sandbox was started with --admin-token. Partners enter the token of their workspace. The page
        stores the token in this tab only, and sends it to this sandbox only.
      </p>
      {token.isWrong ? (
        <p class="problem" role="alert">
          This token is not valid for this sandbox (any more).
        </p>
      ) : null}
      <label>
        Token
        <input name="token" type="password" autocomplete="off" required />
      </label>
      <button>Open</button>
    </form>
  )
}
