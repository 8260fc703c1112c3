// Styles of single views: scenarios, the clock, the form of a row, the steps of a transaction.
import { css } from './css.ts'

export const singleViews = css`
  .scenarios {
    margin: 0;
    padding: 0;
    border: 1px solid var(--line);
    border-radius: 0.875rem;
    background: var(--card);
    list-style: none;
  }
  .scenarios li {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 0 0.9rem;
    padding: 0.6rem 1.1rem;
    border-bottom: 1px solid var(--line);
  }
  .scenarios li:last-child {
    border-bottom: 0;
  }
  .scenarios p {
    margin: 0;
    font-size: var(--small);
  }
  .clock {
    font-size: 1.5rem;
    font-variant-numeric: tabular-nums;
  }
  .pages {
    margin-top: 0.75rem;
  }
  .row-editor {
    display: grid;
    gap: 1.25rem;
    align-items: start;
  }
  .row-form {
    max-width: 48rem;
    margin: 0;
    padding: 0.25rem 1.1rem;
    border: 1px solid var(--line);
    border-radius: 0.875rem;
    background: var(--card);
  }
  .row-form > div {
    display: grid;
    grid-template-columns: 13rem minmax(0, 1fr);
    gap: 0.15rem 1rem;
    align-items: start;
    padding: 0.5rem 0;
    border-bottom: 1px solid var(--line);
  }
  .row-form > div:last-child {
    border-bottom: 0;
  }
  .row-form label {
    padding-top: 0.3rem;
    overflow-wrap: anywhere;
  }
  .row-form .control {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.5rem;
    min-width: 0;
  }
  .row-form :is(input:not([type='checkbox']), select) {
    flex: 1 1 10rem;
    max-width: 22rem;
    min-width: 0;
  }
  .row-form .picker {
    display: flex;
    flex: 1 1 10rem;
    min-width: 0;
  }
  .row-form [type='datetime-local'] {
    flex-basis: 16rem;
    min-width: min(16rem, 100%);
  }
  .row-form :is(small, .problem) {
    flex-basis: 100%;
    margin: 0;
    font-size: var(--tiny);
  }
  .steps {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem;
    padding: 0;
    list-style: none;
  }
  .steps li {
    flex: 0 1 14rem;
    padding-left: 0.75rem;
    border-left: 2px solid var(--accent);
  }
  @media (min-width: 75rem) {
    .row-editor:has(.row-form) {
      grid-template-columns: minmax(0, 11fr) minmax(0, 9fr);
    }
    /* Saving stays within reach. */
    .row-form + div {
      position: sticky;
      top: 5.5rem;
    }
  }
  @media (max-width: 46rem) {
    .row-form > div {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`
