import { execFileSync } from 'node:child_process';
import type { BundledPackage } from '../build/notices.mts';

/** The parts of a component that are used here. */
interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn?: readonly string[];
}

/**
 * Returns the bill of materials (CycloneDX) of the executable: its packages as `npm sbom` describes them, and
 * Node.js. Throws if a bundled package is not in the lock file.
 */
export function createBillOfMaterials(
  root: string,
  packages: readonly BundledPackage[],
  nodeVersion: string,
): object {
  const all = JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const known: readonly Component[] = all.components;
  const own: Component = all.metadata.component;
  const bundled = packages.map(({ name, version }) => {
    const found = known.find((component) => component.name === name && component.version === version);
    if (found === undefined) throw new Error(`package-lock.json does not contain ${name} ${version}.`);
    // The packages are development dependencies, but bundled code is needed at run time.
    return { ...found, scope: 'required', properties: [] };
  });
  const runtime = {
    'bom-ref': `node@${nodeVersion}`,
    type: 'platform',
    name: 'node',
    version: nodeVersion,
    scope: 'required',
    purl: `pkg:github/nodejs/node@v${nodeVersion}`,
    licenses: [{ license: { id: 'MIT' } }],
  };
  const refs = new Set(bundled.map((component) => component['bom-ref']));
  const dependencies = (all.dependencies as readonly Dependency[])
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((name) => refs.has(name)) }));
  return {
    ...all,
    metadata: {
      ...all.metadata,
      lifecycles: [{ phase: 'build' }],
      component: { ...own, name: 'telctl', type: 'application' },
    },
    components: [...bundled, runtime],
    dependencies: [
      { ref: own['bom-ref'], dependsOn: [...refs, runtime['bom-ref']] },
      ...dependencies,
      { ref: runtime['bom-ref'], dependsOn: [] },
    ],
  };
}
