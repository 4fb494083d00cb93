import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** Returns the package folder of a bundled file, or `undefined` for a file of telctl. */
function packageFolder(input: string): string | undefined {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
}

const licenceFile = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** Returns the license text of a package, or the name of its license if there is no text. */
function licenceOf(folder: string, named: unknown): string {
  const texts = readdirSync(folder)
    .filter((name) => licenceFile.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim());
  return texts.length === 0 ? `Licence: ${String(named ?? 'not named')}` : texts.join('\n\n');
}

/** A package with code in a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

/** Returns the packages of a bundle without duplicates, sorted by name. */
export function bundledPackages(root: string, inputs: readonly string[]): readonly BundledPackage[] {
  const folders = new Set(inputs.map(packageFolder).filter((folder) => folder !== undefined));
  const found = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return { name, version, licence: licenceOf(join(root, folder), license) };
  });
  const unique = new Map(found.map((one) => [titleOf(one), one]));
  return [...unique].sort(([one], [other]) => one.localeCompare(other)).map(([, one]) => one);
}

const titleOf = ({ name, version }: BundledPackage): string => `${name} ${version}`;

/** Returns a page with name, version and license of every bundled package. */
export function notices(packages: readonly BundledPackage[]): string {
  const parts = packages.map((one) => `## ${titleOf(one)}\n\n\`\`\`text\n${one.licence}\n\`\`\`\n`);
  return `# Third-party notices\n\ntelctl contains these packages.\n\n${parts.join('\n')}`;
}

/** Returns the source files of a bundle. */
export function inputsOf({ outputs }: Metafile): readonly string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
}
