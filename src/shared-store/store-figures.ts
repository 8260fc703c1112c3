// What the store cost this process so far, for its metrics.

export interface StoreFigures {
  /** Scripts that were sent. */
  roundTrips: number
  /** Turns that were judged again, and questions that were asked again. */
  retries: number
  /** How many versions behind the workspace was that was caught up last. */
  lagVersions: number
  /** How often a workspace was found to have another history than this process knew. */
  histories: number
}
