// What a store that several processes share tells of its work for this process.

/** Each since the start, but for the lag. */
export interface StoreFigures {
  /** Scripts that were sent. */
  roundTrips: number
  /** Turns that were judged again, as another process had written first, and questions that were asked again. */
  retries: number
  /** By how many versions the workspace was behind that was caught up last. */
  lagVersions: number
  /** How often a workspace was found to have another history than the one it followed. */
  histories: number
}

/** Of a sandbox that keeps its state in this process. */
export const noStore: StoreFigures = { roundTrips: 0, retries: 0, lagVersions: 0, histories: 0 }
