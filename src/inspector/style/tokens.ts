// Design tokens: colours for light and dark, sizes of text, corners.
import { css } from './css.ts'

/** One set of colours for statuses, outcomes and coverage: good, warn, bad; each reads at 4.5:1 on its own back and on cards. */
export const tokens = css`
  :root {
    color-scheme: light dark;
    --page: light-dark(#f4f5f8, #10141b);
    --card: light-dark(#ffffff, #181e28);
    --line: light-dark(#dfe3ea, #2b3444);
    --edge: light-dark(#858d9a, #66728a);
    --text: light-dark(#1b2230, #e6eaf1);
    --soft: light-dark(#566070, #9aa6b8);
    --code: light-dark(#f1f3f7, #10151d);
    --track: light-dark(#e4e8ef, #2a3342);
    --accent: light-dark(#2456c9, #8fb4ff);
    --on-accent: light-dark(#ffffff, #0d1526);
    --marked: light-dark(#e6edfc, #223052);
    --good: light-dark(#14703f, #7fdca5);
    --good-back: light-dark(#e0f4e7, #12301f);
    --good-line: light-dark(#b4dfc4, #235c3b);
    --good-fill: light-dark(#2a9d5c, #3fb873);
    --warn: light-dark(#8a4b08, #f0bd6f);
    --warn-back: light-dark(#fff8ec, #2a2115);
    --warn-line: light-dark(#d9b277, #6d5326);
    --bad: light-dark(#b3261e, #ff9d94);
    --bad-back: light-dark(#fdecea, #391a18);
    --bad-line: light-dark(#e6b1ac, #7a352f);
    --corner: 0.625rem;
    --small: 0.875rem;
    --tiny: 0.8125rem;
    --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  }
`
