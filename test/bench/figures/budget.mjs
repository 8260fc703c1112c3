/**
 * What each figure should be, by its id. A figure with two parts has a letter for each.
 * @type {Readonly<Record<string, import('../index.mjs').Budget>>}
 */
export const budget = {
  P1: { better: 'at least', gate: 0.85, target: 1.0, stretch: 1.2 },
  P2: { better: 'at least', gate: 0.8, target: 0.95, stretch: 1.1 },
  P3: { better: 'at least', gate: 0.65, target: 0.8, stretch: 1.0 },
  P4: { better: 'at least', gate: 0.85, target: 1.0, stretch: 1.2 },
  P5a: { better: 'at most', gate: 2.5, target: 2.1, stretch: 1.8 },
  P5b: { better: 'at most', gate: 2.1, target: 1.7, stretch: 1.4 },
  P6: { better: 'at most', gate: 3, target: 2, stretch: 1.5 },
  P7: { better: 'at most', gate: 2, target: 1.5, stretch: 1.2 },
  P8: { better: 'at most', gate: 2, target: 1.5, stretch: 1.2 },
  P9: { better: 'at most', gate: 1.5, target: 1.2, stretch: 1.1 },
  P10a: { better: 'at most', gate: 1.3, target: 1.1, stretch: 1.0 },
  P10b: { better: 'at most', gate: 250, target: 200, stretch: 150, unit: 'MiB' },
  P11: { better: 'at most', gate: 8, target: 4, stretch: 3, unit: 'KiB' },
  P12: { better: 'at most', gate: 820, target: 700, stretch: 600, unit: 'kB' },
  P13: { better: 'at most', gate: 12, target: 9, stretch: 7 },
  P14: { better: 'at least', gate: 8, target: 12, stretch: 20 },
  P15: { better: 'at most', gate: 4, target: 2, stretch: 1.2 },
  C1: { better: 'at most', gate: 0.5, target: 0.2, stretch: 0.1, unit: 'µs' },
  C2: { better: 'at most', gate: 2.5, target: 1.5, stretch: 1, unit: 'µs' },
  C3a: { better: 'at most', gate: 1.15, target: 1.05, stretch: 1.02 },
  C3b: { better: 'at most', gate: 1.15, target: 1.05, stretch: 1.02 },
  C4a: { better: 'at most', gate: 1.1, target: 1.05, stretch: 1.02 },
  C4b: { better: 'at most', gate: 1.5, target: 1.2, stretch: 1.05 },
  E1: { better: 'at most', gate: 1.2, target: 1.1, stretch: 1.05 },
  // The figure adds the lag that target and stretch ask for.
  E2a: { better: 'at least', gate: 100, target: 100, stretch: 100, unit: '/s' },
  E2b: { better: 'at least', gate: 100, target: 500, stretch: 1000, unit: '/s' },
  E3a: { better: 'at most', gate: 1.6, target: 1.4, stretch: 1.2 },
  E3b: { better: 'at most', gate: 2, target: 1.5, stretch: 1.2 },
  S1a: { better: 'at most', gate: 1.2, target: 1.1, stretch: 1.05 },
  S1b: { better: 'at most', gate: 1.8, target: 1.5, stretch: 1.3 },
  U1: { better: 'at most', gate: 0.7, target: 0.5, stretch: 0.35 },
  U2: { better: 'at most', gate: 1, target: 0.8, stretch: 0.6 },
  U3: { better: 'at most', gate: 3, target: 1.5, stretch: 0.8, unit: 's' },
}

/**
 * The ratio of ours to the build of `--before`, for every figure that measures both.
 * @type {import('../index.mjs').Budget}
 */
export const sinceBefore = { better: 'at most', gate: 1.1, target: 1.0, stretch: 0.9 }
