// The frame around every view: header with differences and messages, the list of views, the view itself.
import { css } from './css.ts'

export const frame = css`
  #page {
    display: grid;
    grid-template: auto 1fr / 11.5rem minmax(0, 1fr);
    min-height: 100vh;
  }
  .top {
    grid-column: 1 / -1;
    position: sticky;
    top: 0;
    z-index: 2;
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto auto;
    align-items: center;
    gap: 0 1.25rem;
    min-height: 3.25rem;
    padding: 0.4rem 1.25rem;
    border-bottom: 1px solid var(--line);
    background: var(--card);
  }
  .brand {
    margin: 0;
    font-weight: 700;
    letter-spacing: -0.01em;
  }
  /* It has a place of its own: what is said covers nothing. */
  .said {
    justify-self: end;
    margin: 0;
    font-size: var(--small);
    text-align: right;
    overflow-wrap: anywhere;
  }
  .said.is-saying {
    padding: 0.2rem 0.9rem;
    border-radius: var(--corner);
    background: var(--text);
    color: var(--card);
  }
  .workspace {
    display: flex;
    flex-wrap: nowrap;
    align-items: center;
    gap: 0.5rem;
    min-width: 0;
    color: var(--soft);
    font-size: var(--small);
  }
  .workspace select {
    min-width: 0;
    max-width: 12rem;
    color: var(--text);
  }
  .differences {
    grid-column: 1 / -1;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.15rem 0.4rem;
    margin: 0.25rem 0 0.1rem;
    padding: 0;
    font-size: var(--small);
    list-style: none;
  }
  .differences li:not(:last-child)::after {
    content: '·';
    margin-left: 0.4rem;
    color: var(--soft);
  }
  .differences a {
    color: var(--warn);
    font-weight: 600;
  }
  .views {
    padding: 1rem 0.75rem;
  }
  .views ul {
    position: sticky;
    top: 5rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .views a {
    display: block;
    padding: 0.4rem 0.8rem;
    border-radius: var(--corner);
    color: var(--soft);
    text-decoration: none;
  }
  .views a:hover {
    background: var(--track);
    color: var(--text);
  }
  .views a[aria-current] {
    background: var(--card);
    box-shadow: 0 1px 2px rgb(0 0 0 / 0.15);
    color: var(--text);
    font-weight: 600;
  }
  main {
    min-width: 0;
    padding: 1.5rem 1.5rem 4rem 0.75rem;
  }
  .skip {
    position: absolute;
    left: -100rem;
  }
  .skip:focus {
    left: 0.5rem;
    top: 0.5rem;
    z-index: 9;
    padding: 0.5rem 1rem;
    background: var(--accent);
    color: var(--on-accent);
  }
  @media (max-width: 46rem) {
    #page {
      display: block;
    }
    .top {
      grid-template-columns: minmax(0, 1fr) auto;
      gap: 0.15rem 0.5rem;
      padding: 0.4rem 0.75rem;
    }
    .top:not(:has(.is-saying)) {
      position: static;
    }
    .top .said {
      grid-column: 1 / -1;
      grid-row: 3;
      justify-self: stretch;
      text-align: left;
    }
    .top .brand {
      grid-column: 1 / -1;
    }
    .workspace {
      grid-row: 2;
    }
    /* All of them are seen: no tab is cut. */
    .views {
      padding: 0.5rem 0.5rem 0;
    }
    .views ul {
      position: static;
      display: grid;
      grid-template-columns: repeat(4, minmax(0, 1fr));
      gap: 0.15rem;
    }
    .views a {
      padding: 0.35rem 0;
      font-size: var(--tiny);
      letter-spacing: -0.02em;
      overflow-wrap: anywhere;
      text-align: center;
    }
    main {
      padding: 1rem 0.75rem 4rem;
    }
  }
`
