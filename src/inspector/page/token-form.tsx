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
        This sandbox was started with --admin-token. A partner gives the token of its workspace. The token is
        kept in this tab, and goes to this sandbox alone.
      </p>
      {token.isWrong ? (
        <p class="problem" role="alert">
          This is no token of this sandbox (any more).
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
