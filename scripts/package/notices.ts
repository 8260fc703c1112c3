// Generates THIRD-PARTY-NOTICES.txt: the licences of all bundled code, which they require.
import type { BundledPackage } from './bundled-packages.ts'

export function notices(packages: readonly BundledPackage[]): string {
  const head = 'This package contains code of the following libraries, each under its own licence.\n'
  const parts = packages.map(
    ({ name, version, license, licenseText }) => `${name} ${version} (${license})\n\n${licenseText}\n`,
  )
  return [head, ...parts].join(`\n${'-'.repeat(80)}\n\n`)
}
