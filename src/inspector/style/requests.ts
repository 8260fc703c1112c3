// Styles of requests: filters, the list of calls, the groups of a run, and the open request.
import { css } from './css.ts'

export const requests = css`
  .filters {
    /* The same height with and without an open request: opening it moves nothing. */
    display: grid;
    grid-template-columns: minmax(0, 2fr) minmax(0, 1.5fr) minmax(0, 1fr) minmax(0, 1.25fr);
    gap: 0.25rem 0.5rem;
    max-width: 56rem;
    margin-bottom: 0.75rem;
  }
  .filters label {
    display: grid;
    gap: 0;
    color: var(--soft);
    font-size: var(--tiny);
  }
  .filters :is(input, select) {
    width: 100%;
    min-width: 0;
    height: 2.1rem;
    color: var(--text);
  }
  .filters .check {
    display: flex;
    align-items: center;
  }
  .filters .check input {
    width: auto;
    height: auto;
  }
  .requests {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.25rem;
  }
  .list h1 {
    margin: 0 0.5rem 0 0;
  }
  .list a.badge + a.badge {
    margin: 0;
  }
  .count {
    /* What comes and goes in it moves nothing. */
    flex-wrap: nowrap;
    height: 2.25rem;
    margin-bottom: 0.25rem;
    white-space: nowrap;
  }
  .count span {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .calls,
  .run {
    border: 1px solid var(--line);
    border-radius: 0.875rem;
    background: var(--card);
  }
  .calls {
    --row: 2.4rem;
    position: relative;
    height: calc(100vh - 23rem);
    min-height: 12rem;
    overflow-y: auto;
  }
  .calls ol {
    position: relative;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .calls li {
    position: absolute;
    left: 0;
    right: 0;
    height: var(--row);
  }
  :is(.calls, .run) li > *,
  .columns {
    display: grid;
    grid-template-columns: 4.5rem 4.5rem minmax(8rem, 3fr) minmax(6rem, 2fr) 3.25rem 9.25rem 5rem 3rem;
    gap: 0 0.75rem;
    align-items: center;
    height: 100%;
    padding: 0 0.9rem;
    border-bottom: 1px solid var(--line);
    color: inherit;
    font-size: var(--small);
    text-decoration: none;
  }
  .columns {
    height: auto;
    border: 0;
    margin-bottom: 0.25rem;
    color: var(--soft);
    font-size: var(--tiny);
  }
  :is(.calls, .run) li span,
  .columns span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  :is(.calls, .run) li a:hover {
    background: color-mix(in srgb, var(--accent) 7%, transparent);
  }
  :is(.calls, .run) li a[aria-current] {
    background: var(--marked);
  }
  .calls li a:focus-visible {
    outline-offset: -2px;
  }
  .calls .badge {
    display: inline;
    margin-left: 0.5rem;
    vertical-align: baseline;
  }
  .calls li a[aria-current] .badge {
    background: var(--card);
  }
  .method {
    font-weight: 700;
  }
  .action {
    margin: 0;
    font-style: italic;
  }
  .action span:last-child {
    grid-column: 3 / -1;
  }
  .run .group {
    border-bottom: 1px solid var(--line);
  }
  .run .group:last-child {
    border-bottom: 0;
  }
  .run li > * {
    min-height: 2.4rem;
  }
  .run ol {
    margin: 0;
    padding: 0;
    border-top: 1px solid var(--line);
    list-style: none;
  }
  .run li:last-child > * {
    border-bottom: 0;
  }
  .run h2 {
    margin: 0;
    font-size: 0.9375rem;
    font-weight: 500;
  }
  .run h2 button {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.5rem;
    width: 100%;
    padding: 0.5rem 0.9rem;
    text-align: left;
    overflow-wrap: anywhere;
  }

  .request h1 {
    font-size: 1.35rem;
    letter-spacing: -0.01em;
  }
  .request li {
    overflow-wrap: anywhere;
  }
  .summary {
    font-size: 1.05rem;
    overflow-wrap: anywhere;
  }
  .found {
    display: grid;
    grid-template-columns: 8rem minmax(0, 1fr);
    gap: 0 1rem;
    padding: 0.35rem 0;
    border-top: 1px solid var(--line);
  }
  .found h3 {
    margin: 0;
    color: var(--soft);
    font-size: var(--small);
    font-weight: 500;
  }
  .found ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .request .fields label {
    align-items: start;
  }
  .request td.mono {
    white-space: pre-wrap;
  }
  .lines {
    max-height: 32rem;
    overflow: auto;
  }
  .lines table {
    table-layout: fixed;
    min-width: 30rem;
  }
  .lines th:first-child {
    width: 7rem;
  }
  @media (min-width: 75rem) {
    .filters {
      grid-template-columns: minmax(0, 2fr) minmax(0, 1.5fr) minmax(0, 1.25fr) minmax(0, 1fr) minmax(
          0,
          1.25fr
        );
    }
    .requests.has-open {
      grid-template-columns: minmax(28rem, 1fr) minmax(0, 1fr);
    }
    .requests.has-open :is(.calls li > *, .run li > *, .columns) {
      grid-template-columns: 4.25rem minmax(6rem, 1fr) 3.25rem 8.5rem;
      gap: 0 0.5rem;
    }
    .requests.has-open .is-wide {
      display: none;
    }
    .requests.has-open .action span:last-child {
      grid-column: 2 / -1;
    }
    /* Both fill the window and scroll by themselves, whatever messages are above them. */
    #page:has(> .view-requests) {
      height: 100vh;
    }
    .view-requests {
      display: flex;
      flex-direction: column;
      min-height: 0;
      padding-bottom: 1rem;
      overflow-y: auto;
    }
    .requests {
      flex: 1;
      grid-template-rows: minmax(20rem, 1fr);
      min-height: 0;
    }
    .requests > .list {
      display: flex;
      flex-direction: column;
      min-height: 0;
    }
    .calls {
      flex: 1;
      height: auto;
    }
    .run {
      flex: 1;
      min-height: 0;
      overflow-y: auto;
    }
    .request {
      min-height: 0;
      overflow-y: auto;
      padding-right: 0.5rem;
    }
  }
  @media (max-width: 74.99rem) {
    .requests.has-open > .list {
      display: none;
    }
  }
  @media (max-width: 74.99rem) {
    :is(.calls, .run) li > *,
    .columns {
      grid-template-columns: 4.5rem 4.5rem minmax(0, 1fr) 3.25rem 9.25rem;
    }
    :is(.calls, .run, .columns) .is-wide:not(:first-child) {
      display: none;
    }
  }
  @media (max-width: 46rem) {
    /* Equal lines once; lines that differ below each other, each with the name of its answer. */
    .lines table {
      min-width: 0;
    }
    .lines tr.is-same :is(td:first-child, td:last-child),
    .lines td:empty {
      display: none;
    }
    .lines td {
      overflow-wrap: anywhere;
    }
    .lines tr:not(.is-same) td[data-answer]::before {
      content: attr(data-answer);
      display: block;
      color: var(--soft);
      font: var(--small) system-ui;
    }
    .filters {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
    .found {
      grid-template-columns: minmax(0, 1fr);
    }
    /* Up to three lines for each call, so that no path is cut short. */
    .columns {
      display: none;
    }
    :is(.calls, .run) .is-wide {
      display: none;
    }
    .calls {
      --row: 4.8rem;
      height: calc(100vh - 18rem);
    }
    :is(.calls, .run) li > * {
      grid-template-columns: auto minmax(0, 1fr) auto;
      align-content: center;
      gap: 0.1rem 0.6rem;
      padding: 0.25rem 0.75rem;
    }
    .run li > * {
      min-height: 4.8rem;
    }
    :is(.calls, .run) li > * > :nth-child(3) {
      grid-row: 2;
      grid-column: 1 / -1;
      display: -webkit-box;
      -webkit-box-orient: vertical;
      -webkit-line-clamp: 2;
      white-space: normal;
      overflow-wrap: anywhere;
    }
    :is(.calls, .run) li > * > .status {
      grid-row: 1;
      grid-column: 3;
    }
    :is(.calls, .run) li > * > :nth-child(6) {
      grid-row: 1;
      grid-column: 2;
      color: var(--soft);
    }
  }
`
