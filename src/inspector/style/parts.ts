// Styles of shared parts: bars, cards, badges, notices, pairs, tables that scroll, switches.
import { css } from './css.ts'

export const parts = css`
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
    margin-bottom: 0.75rem;
  }
  .bar :is(label, select) {
    min-width: 0;
    max-width: 100%;
  }
  .bar > .problem {
    flex-basis: 100%;
    margin: 0;
  }
  .at-end {
    margin-left: auto;
  }
  .card,
  .scrolls,
  .narrow {
    border: 1px solid var(--line);
    border-radius: 0.875rem;
    background: var(--card);
  }
  .card {
    max-width: 48rem;
    margin-bottom: 1rem;
    padding: 1rem 1.1rem;
    overflow-wrap: anywhere;
  }
  .card.is-open {
    border-color: var(--accent);
  }
  .card > :is(h2, h3):first-child {
    margin-top: 0;
  }
  .card > :last-child {
    margin-bottom: 0;
  }
  .scrolls {
    margin-bottom: 0.75rem;
    padding: 0.25rem 1rem;
    overflow-x: auto;
  }
  .narrow {
    display: block;
    width: fit-content;
    max-width: 100%;
    padding: 0.25rem 1rem;
  }
  .faint {
    color: var(--soft);
  }
  .empty {
    padding: 1.5rem 1.1rem;
    border: 1px dashed var(--line);
    border-radius: 0.875rem;
    color: var(--soft);
    text-align: center;
  }
  .notice {
    padding: 0.5rem 0.9rem;
    border: 1px solid var(--warn-line);
    border-radius: var(--corner);
    background: var(--warn-back);
    color: var(--warn);
    overflow-wrap: anywhere;
  }
  .notice :is(a, button) {
    color: inherit;
    text-decoration: underline;
  }
  .about {
    color: var(--soft);
    font-size: var(--small);
    overflow-wrap: anywhere;
  }
  .problem {
    color: var(--bad);
    overflow-wrap: anywhere;
  }
  .badge {
    display: inline-block;
    max-width: 100%;
    padding: 0 0.6em;
    border: 1px solid transparent;
    border-radius: 999px;
    background: var(--marked);
    font-size: var(--tiny);
    font-weight: 600;
    overflow: hidden;
    text-overflow: ellipsis;
    vertical-align: middle;
    white-space: nowrap;
  }
  a.badge {
    color: inherit;
    text-decoration: none;
  }
  a.badge:hover {
    text-decoration: underline;
  }
  a.badge[aria-current] {
    border-color: var(--accent);
  }
  :is(.badge, a, code) + .badge {
    margin-left: 0.5rem;
  }
  .bar > .badge {
    margin-left: 0;
  }
  .is-good {
    color: var(--good);
  }
  .is-warn {
    color: var(--warn);
  }
  .is-bad {
    color: var(--bad);
  }
  :is(.badge, .status).is-good {
    border-color: var(--good-line);
    background: var(--good-back);
  }
  :is(.badge, .status).is-warn {
    border-color: var(--warn-line);
    background: var(--warn-back);
  }
  :is(.badge, .status).is-bad {
    border-color: var(--bad-line);
    background: var(--bad-back);
  }
  .status {
    justify-self: start;
    padding: 0 0.5em;
    border: 1px solid;
    border-radius: 999px;
    font-size: var(--tiny);
    font-weight: 700;
    font-variant-numeric: tabular-nums;
  }
  .pairs {
    display: grid;
    gap: 0.25rem;
    margin: 0 0 0.75rem;
  }
  .pairs > div {
    display: grid;
    grid-template-columns: 10rem minmax(0, 1fr);
    gap: 0 1rem;
  }
  .fields {
    display: grid;
    gap: 0.6rem;
    max-width: 40rem;
    margin-bottom: 0.75rem;
  }
  .fields label {
    display: grid;
    grid-template-columns: 9rem minmax(0, 1fr);
  }
  .rows :is(th, td) {
    max-width: 24rem;
    padding-right: 1.25rem;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    vertical-align: baseline;
  }
  .rows :is(.actions, .wraps) {
    max-width: none;
    white-space: normal;
  }
  .actions > * {
    margin-right: 0.5rem;
  }
  .actions > .confirm {
    margin-right: 1.5rem;
  }
  .short {
    width: 5rem;
  }
  .editor {
    display: block;
  }
  .editor textarea {
    margin: 0.25rem 0 0.5rem;
  }
  .problems ol {
    margin: 0 0 0.75rem;
    padding: 0;
    list-style: none;
  }
  :is(.problems li, .json) {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .problems button {
    padding: 0 0.25rem;
    color: var(--accent);
    text-decoration: underline;
  }
  :is(form, button, .problem) + .problem,
  form + p {
    margin-top: 0.75rem;
  }
  .switched {
    display: inline-flex;
    align-items: center;
    gap: 0.5rem;
  }
  [role='switch'] {
    appearance: none;
    position: relative;
    flex: none;
    width: 2.5rem;
    height: 1.375rem;
    margin: 0.125rem 0;
    padding: 0;
    border: 1px solid var(--edge);
    border-radius: 1rem;
    background: var(--track);
    cursor: pointer;
  }
  [role='switch']::before {
    content: '';
    position: absolute;
    top: 2px;
    left: 2px;
    width: 1rem;
    height: 1rem;
    border-radius: 50%;
    background: var(--soft);
  }
  [role='switch']:checked {
    border-color: var(--accent);
    background: var(--accent);
  }
  [role='switch']:checked::before {
    left: auto;
    right: 2px;
    background: var(--on-accent);
  }
  [role='switch']:disabled {
    cursor: default;
  }
  .unseen {
    position: fixed;
    left: -100rem;
  }
  @media (max-width: 46rem) {
    :is(.fields label, .pairs > div) {
      grid-template-columns: minmax(0, 1fr);
    }
    /* They scroll instead of breaking every word. */
    .scrolls :is(th, td) {
      min-width: 6.5rem;
    }
    /* What can be done with a row stays within reach. */
    .is-stacked thead {
      position: fixed;
      left: -100rem;
    }
    .is-stacked :is(tr, th, td) {
      display: block;
      max-width: none;
      border: 0;
      text-align: left;
      white-space: normal;
    }
    .is-stacked tr {
      padding: 0.5rem 0;
      border-bottom: 1px solid var(--line);
    }
    .is-stacked tr:last-child {
      border-bottom: 0;
    }
  }
`
