// Coverage and the findings of conform: the ring, the overview, the grid of an operation, requests to paste, verdicts.
import { css } from './css.ts'

export const coverage = css`
  .report {
    max-width: 74rem;
    margin: 0 auto;
    padding: 2rem 1rem 4rem;
  }
  .head {
    display: flex;
    align-items: center;
    gap: 1.75rem;
    margin-bottom: 2rem;
  }
  .head h1 {
    margin: 0 0 0.25rem;
  }
  .head p {
    margin: 0;
    max-width: 38rem;
    color: var(--soft);
  }
  .head b {
    color: var(--text);
    font-weight: 600;
  }
  .ring {
    flex: none;
    width: 8.5rem;
    height: 8.5rem;
  }
  .ring circle {
    fill: none;
    stroke: var(--track);
    stroke-width: 10;
  }
  .ring .fill {
    stroke: var(--good-fill);
    stroke-linecap: round;
  }
  .ring text {
    fill: var(--text);
    font-size: 21px;
    font-weight: 700;
    text-anchor: middle;
    dominant-baseline: central;
  }
  .overview {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr));
    gap: 0.5rem;
    margin: 0 0 1.5rem;
    padding: 0;
    list-style: none;
  }
  .overview a {
    display: block;
    padding: 0.55rem 0.75rem 0.65rem;
    border: 1px solid var(--line);
    border-radius: var(--corner);
    background: var(--card);
    color: inherit;
    text-decoration: none;
  }
  .overview a:hover {
    border-color: var(--accent);
  }
  .overview a > span {
    display: flex;
    justify-content: space-between;
    gap: 0.75rem;
    font-size: var(--small);
  }
  .overview .id {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .id {
    font-family: var(--mono);
    font-size: 0.875em;
  }
  .covered {
    color: var(--soft);
    font-size: var(--small);
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .meter {
    display: block;
    width: 100%;
    height: 6px;
    margin-top: 0.4rem;
    border-radius: 3px;
    background: var(--track);
  }
  .meter rect {
    fill: var(--good-fill);
  }
  .choice {
    display: inline-flex;
    margin: 0 0 1.25rem;
    padding: 3px;
    border-radius: var(--corner);
    background: var(--track);
  }
  .choice input {
    position: absolute;
    opacity: 0;
    pointer-events: none;
  }
  .choice label {
    padding: 0.3rem 0.9rem;
    border-radius: 0.5rem;
    color: var(--soft);
    font-size: 0.9rem;
    cursor: pointer;
  }
  .choice label:has(:checked) {
    background: var(--card);
    box-shadow: 0 1px 2px rgb(0 0 0 / 0.15);
    color: var(--text);
    font-weight: 600;
  }
  .choice label:has(:focus-visible) {
    outline: 2px solid var(--accent);
    outline-offset: 1px;
  }
  .choice:has([value='missing']:checked) ~ .operations :is(.cell.is-good, .whole) {
    display: none;
  }
  .operation {
    margin-bottom: 1rem;
    border: 1px solid var(--line);
    border-radius: 0.875rem;
    background: var(--card);
    overflow: hidden;
  }
  .operation > summary {
    display: grid;
    grid-template-columns: auto 1fr auto;
    align-items: center;
    gap: 0.15rem 0.75rem;
    padding: 0.9rem 1.1rem 1rem;
    list-style: none;
  }
  .operation > summary::-webkit-details-marker {
    display: none;
  }
  .operation > summary:hover {
    background: color-mix(in srgb, var(--accent) 5%, transparent);
  }
  .operation h2 {
    margin: 0;
  }
  .operation h2::before {
    content: '';
    display: inline-block;
    width: 0.45em;
    height: 0.45em;
    margin: 0 0.65em 0.12em 0.1em;
    border: solid var(--soft);
    border-width: 0 2px 2px 0;
    transform: rotate(-45deg);
    transition: transform 0.15s;
  }
  .operation[open] > summary h2::before {
    transform: translateY(-0.12em) rotate(45deg);
  }
  .operation > summary > .meter {
    grid-column: 1 / -1;
  }
  .operation .covered {
    grid-column: 3;
  }
  .endpoint {
    min-width: 0;
    color: var(--soft);
    font-size: var(--tiny);
    overflow-wrap: anywhere;
  }
  .endpoint .method {
    color: var(--text);
  }
  .grid {
    margin: 0;
    padding: 0.35rem 1.1rem 1rem;
  }
  .grid > div {
    display: grid;
    grid-template-columns: 8.5rem 1fr;
    gap: 0.35rem 1rem;
    padding: 0.5rem 0;
    border-top: 1px solid var(--line);
  }
  .grid dt {
    padding-top: 0.2rem;
  }
  .grid dd {
    display: flex;
    flex-wrap: wrap;
    gap: 0.35rem;
    min-width: 0;
  }
  .cell {
    display: inline-flex;
    align-items: baseline;
    gap: 0.4em;
    max-width: 100%;
    padding: 0.12rem 0.6rem;
    border: 1px solid;
    border-radius: 999px;
    font-size: var(--tiny);
    line-height: 1.5;
    overflow-wrap: anywhere;
    text-decoration: none;
  }
  .cell.is-good {
    border-color: var(--good-line);
    background: var(--good-back);
  }
  .cell.is-warn {
    border-color: var(--warn-line);
    border-style: dashed;
    background: var(--warn-back);
  }
  .cell.is-warn:hover {
    border-style: solid;
  }
  .hits {
    font-size: 0.75rem;
    font-variant-numeric: tabular-nums;
  }
  .missing {
    margin: 0;
    border-top: 1px solid var(--line);
  }
  .missing > summary {
    padding: 0.7rem 1.1rem;
    color: var(--warn);
    font-size: 0.9rem;
    font-weight: 600;
  }
  .missing ol {
    margin: 0;
    padding: 0 0.5rem 0.7rem;
    list-style: none;
  }
  .missing li {
    margin-top: 0.35rem;
    padding: 0.5rem 0.6rem 0.6rem;
    border-radius: var(--corner);
    scroll-margin-top: 5rem;
  }
  .missing li:is(:target, :focus) {
    outline: none;
    background: color-mix(in srgb, var(--warn) 12%, transparent);
  }
  .missing p {
    margin: 0 0 0.4rem;
    font-size: 0.9rem;
    overflow-wrap: anywhere;
  }
  .missing .id {
    display: block;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .missing pre {
    margin: 0 0 0.4rem;
    max-height: none;
  }
  .is-whole {
    margin: 0;
    padding: 0.2rem 1.1rem 1rem;
    color: var(--good);
    font-size: 0.9rem;
  }
  .report footer {
    margin-top: 2rem;
    color: var(--soft);
    font-size: var(--small);
  }
  .report footer summary {
    color: var(--text);
    font-weight: 600;
  }
  .report footer p {
    max-width: 46rem;
  }
  .verdicts {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin: 0 0 1.5rem;
    padding: 0;
    list-style: none;
  }
  .verdicts li {
    padding: 0.4rem 0.9rem;
    border: 1px solid var(--line);
    border-radius: var(--corner);
    background: var(--card);
  }
  .verdicts .is-bad {
    border-color: var(--bad-line);
    background: var(--bad-back);
  }
  .report .card {
    max-width: none;
  }
  .reason ul {
    columns: 20rem;
    font-size: var(--small);
  }
  @media (max-width: 36rem) {
    .head {
      gap: 1rem;
    }
    .ring {
      width: 5.75rem;
      height: 5.75rem;
    }
    .overview {
      gap: 0.3rem;
    }
    .overview a {
      padding: 0.3rem 0.65rem 0.45rem;
    }
    .overview .meter {
      height: 4px;
      margin-top: 0.15rem;
    }
    .operation > summary {
      grid-template-columns: 1fr auto;
      padding: 0.8rem 0.85rem 0.9rem;
    }
    .operation .covered {
      grid-column: 2;
    }
    .endpoint {
      grid-column: 1 / -1;
      grid-row: 2;
    }
    .grid {
      padding: 0.2rem 0.85rem 0.85rem;
    }
    .grid > div {
      grid-template-columns: 1fr;
      gap: 0.3rem;
    }
    .missing > summary {
      padding: 0.7rem 0.85rem;
    }
    .missing ol {
      padding: 0 0.25rem 0.5rem;
    }
  }
  @media print {
    body {
      background: none;
    }
    .choice {
      display: none;
    }
    .operation {
      break-inside: avoid-page;
    }
  }
`
