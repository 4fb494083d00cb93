import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** The folder of the package that a bundled file belongs to, or `undefined` for a file of ours. */
function packageFolder(input: string): string | undefined {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
}

const licenceFile = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** The licence texts of a package; the name of its licence where it ships none. */
function licenceOf(folder: string, named: unknown): string {
  const texts = readdirSync(folder)
    .filter((name) => licenceFile.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim());
  return texts.length === 0 ? `Licence: ${String(named ?? 'not named')}` : texts.join('\n\n');
}

/** A package whose code went into a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

/** The packages that the files of a bundle belong to, each once, by name. */
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

/** A page with the name, version and licence of every package that went into a bundle. */
export function notices(packages: readonly BundledPackage[]): string {
  const parts = packages.map((one) => `## ${titleOf(one)}\n\n\`\`\`text\n${one.licence}\n\`\`\`\n`);
  return `# Third-party notices\n\ntelctl contains these packages.\n\n${parts.join('\n')}`;
}

/** Files whose content is in what a build wrote. */
export function inputsOf({ outputs }: Metafile): readonly string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
}
