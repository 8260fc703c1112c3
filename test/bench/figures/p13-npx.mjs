/** @type {import('../index.mjs').Figure} */
export const figure = {
  id: 'P13',
  title: 'npx … --version from the tarball, empty cache / npm --version',
  budget: { better: 'at most', gate: 12, target: 8, stretch: 6 },
  later: 'the package comes with a later issue',
}
