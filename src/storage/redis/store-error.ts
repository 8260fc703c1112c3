// Why a shared store cannot be used: it is away for now, or what was found at the start does not fit.

/** The engine does not answer, or says that it cannot do this now. Its message is one sentence for a user. */
export class EngineAwayError extends Error {
  override name = 'EngineAwayError'

  constructor(
    message: string,
    /** Whether the script may have run all the same: it was sent, and what became of it is not known. */
    readonly mayHaveRun: boolean,
  ) {
    super(message)
  }
}

/** A key of ours holds a value of another kind, which somebody else put there: nothing was done. */
export class ForeignKeyError extends EngineAwayError {
  override name = 'ForeignKeyError'

  constructor() {
    super(
      'The store holds a value of another kind under our keys: look at them, and delete them or take another --store-prefix.',
      false,
    )
  }
}

/** A reason as a sentence, for another one to follow. */
export const sentence = (reason: string): string => reason.replace(/[^.]$/, '$&.')
