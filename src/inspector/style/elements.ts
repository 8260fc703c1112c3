// How plain elements look: text, links, code, tables, forms, buttons.
import { css } from './css.ts'

export const elements = css`
  * {
    box-sizing: border-box;
  }
  html {
    -webkit-text-size-adjust: 100%;
    scroll-padding-top: 5rem;
  }
  body {
    margin: 0;
    background: var(--page);
    color: var(--text);
    font:
      1rem/1.5 system-ui,
      -apple-system,
      'Segoe UI',
      Roboto,
      sans-serif;
  }
  h1,
  h2,
  h3,
  h4 {
    overflow-wrap: anywhere;
    line-height: 1.25;
  }
  h1 {
    margin: 0 0 0.75rem;
    font-size: clamp(1.6rem, 5vw, 2.25rem);
    line-height: 1.15;
    letter-spacing: -0.02em;
  }
  h2 {
    margin: 2rem 0 0.5rem;
    font-size: 1.05rem;
  }
  h3 {
    margin: 1rem 0 0.25rem;
    font-size: 1rem;
  }
  h4 {
    margin: 0.75rem 0 0.25rem;
    color: var(--soft);
    font-size: var(--tiny);
    font-weight: 600;
  }
  :is(h1, h2, main, .problems, section, .card):focus {
    outline: none;
  }
  p {
    margin: 0 0 0.75rem;
  }
  a {
    color: var(--accent);
  }
  a:hover {
    text-decoration-thickness: 2px;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
    border-radius: 4px;
  }
  code,
  pre,
  kbd,
  textarea,
  .mono {
    font: var(--tiny) / 1.5 var(--mono);
  }
  kbd {
    padding: 0 0.3em;
    border: 1px solid var(--line);
    border-radius: 0.25rem;
  }
  pre {
    margin: 0 0 0.75rem;
    padding: 0.6rem 0.8rem;
    max-height: 32rem;
    overflow: auto;
    border: 1px solid var(--line);
    border-radius: 0.5rem;
    background: var(--code);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  button,
  input,
  select,
  textarea {
    max-width: 100%;
    padding: 0.3rem 0.7rem;
    border: 1px solid var(--edge);
    border-radius: 0.5rem;
    background: var(--card);
    color: inherit;
    font: inherit;
    font-size: 0.9375rem;
  }
  textarea {
    width: 100%;
    min-height: 12rem;
    font: var(--tiny) / 1.5 var(--mono);
  }
  button {
    border-color: var(--line);
    font-weight: 500;
    cursor: pointer;
  }
  button:hover:not(:disabled) {
    border-color: var(--accent);
  }
  button:disabled {
    color: var(--soft);
    cursor: default;
  }
  button.main {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--on-accent);
  }
  button.quiet {
    border-color: transparent;
    background: none;
  }
  button.danger {
    color: var(--bad);
  }
  button[aria-pressed='true'] {
    border-color: var(--accent);
    background: var(--marked);
  }
  input[type='checkbox'] {
    accent-color: var(--accent);
  }
  :is(input, select, textarea)[aria-invalid] {
    border-color: var(--bad);
    box-shadow: 0 0 0 1px var(--bad);
  }
  label {
    display: inline-flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.5rem;
  }
  table {
    width: 100%;
    border-collapse: collapse;
  }
  caption {
    text-align: left;
  }
  th,
  td {
    padding: 0.4rem 0.75rem 0.4rem 0;
    border-bottom: 1px solid var(--line);
    font-size: 0.9375rem;
    text-align: left;
    vertical-align: top;
    overflow-wrap: anywhere;
  }
  tr:last-child > * {
    border-bottom: 0;
  }
  th {
    color: var(--soft);
    font-size: var(--tiny);
    font-weight: 500;
  }
  th[scope='row'] {
    color: inherit;
    font-weight: 600;
  }
  th[scope='col'],
  td.number {
    white-space: nowrap;
  }
  .number {
    text-align: right;
    font-variant-numeric: tabular-nums;
  }
  dt {
    color: var(--soft);
    font-size: var(--small);
  }
  dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
  summary {
    cursor: pointer;
  }
  details {
    margin-bottom: 0.5rem;
  }
  dialog {
    max-width: min(36rem, 92vw);
    border: 1px solid var(--line);
    border-radius: 0.875rem;
    background: var(--card);
    color: var(--text);
  }
  dialog h2 {
    margin-top: 0;
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      transition: none !important;
    }
  }
`
