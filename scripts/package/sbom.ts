// Generates dist/sbom.cdx.json: the software bill of materials (CycloneDX 1.5) of the bundled libraries.
import type { BundledPackage } from './bundled-packages.ts'

/**
 * A user's `npm audit` does not see bundled libraries, but scanners that read this file do. It has no time and no
 * serial number, so that the same build gives the same bytes.
 */
export function bill(
  { name, version }: { name: string; version: string },
  packages: readonly BundledPackage[],
): object {
  const root = `${name}@${version}`
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { 'bom-ref': root, type: 'library', name, version, purl: purlOf(name, version) },
    },
    components: packages.map((one) => ({
      'bom-ref': `${one.name}@${one.version}`,
      type: 'library',
      name: one.name,
      version: one.version,
      scope: 'required',
      purl: purlOf(one.name, one.version),
      hashes: [{ alg: 'SHA-512', content: hashOf(one) }],
      licenses: [{ license: { id: one.license } }],
    })),
    dependencies: [
      { ref: root, dependsOn: packages.map((one) => `${one.name}@${one.version}`) },
      ...packages.map((one) => ({ ref: `${one.name}@${one.version}`, dependsOn: [] })),
    ],
  }
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function hashOf({ name, integrity }: BundledPackage): string {
  const [, hash] = /^sha512-(\S+)$/.exec(integrity) ?? []
  if (hash === undefined) throw new Error(`${name}: the lockfile holds no sha512 hash of it`)
  return Buffer.from(hash, 'base64').toString('hex')
}
