import { withEngine } from '../lib/engine.mjs'
import { costOfSharing } from '../lib/shared.mjs'

/** @type {import('../index.mjs').Figure} */
export const reading = {
  id: 'S1a',
  title: 'W1 with a shared store: CPU / without, 32 connections',
  ...withEngine((context) => costOfSharing(context, 'W1')),
}

/** @type {import('../index.mjs').Figure} */
export const creating = {
  id: 'S1b',
  title: 'W3 with a shared store: CPU / without, 32 connections',
  ...withEngine((context) => costOfSharing(context, 'W3')),
}
