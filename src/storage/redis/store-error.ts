// Why a store cannot be used: it is away for now, or its contents do not fit this sandbox.

/** The engine does not answer, or refuses for now. Its message is one sentence for a user. */
export class EngineUnavailableError extends Error {
  override name = 'EngineAwayError'

  constructor(
    message: string,
    /** Whether the script may have been executed: it was sent, and its outcome is unknown. */
    readonly mayHaveRun: boolean,
  ) {
    super(message)
  }
}

/** One of our keys has a value of another kind, which another program wrote: nothing was changed. */
export class ForeignKeyError extends EngineUnavailableError {
  override name = 'ForeignKeyError'

  constructor() {
    super(
      'The store has a value of another kind under our keys: delete the keys, or use another --store-prefix.',
      false,
    )
  }
}

/** Returns a reason as a sentence that another one can follow. */
export const sentence = (reason: string): string => reason.replace(/[^.]$/, '$&.')
