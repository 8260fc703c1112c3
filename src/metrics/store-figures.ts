// Metrics of the shared store in this process.

/** Each since the start, except for the lag. */
export interface StoreFigures {
  /** Scripts that were sent. */
  roundTrips: number
  /** Batches that were retried, as another process had written first, and requests that were resent. */
  retries: number
  /** By how many versions the last workspace that caught up was behind. */
  lagVersions: number
  /** How often a workspace had another history than the one it followed. */
  histories: number
}

/** For a sandbox without a shared store. */
export const noStoreFigures: StoreFigures = { roundTrips: 0, retries: 0, lagVersions: 0, histories: 0 }
