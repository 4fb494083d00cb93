import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** A page with the name, version and licence of every package that went into the bundle. */
export function notices(root: string, inputs: readonly string[]): string {
  const folders = new Set(inputs.map(packageFolder).filter((folder) => folder !== undefined));
  const entries = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return { title: `${name} ${version}`, licence: licenceOf(join(root, folder), license) };
  });
  const unique = new Map(entries.map(({ title, licence }) => [title, licence]));
  const parts = [...unique]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([title, licence]) => `## ${title}\n\n\`\`\`text\n${licence}\n\`\`\`\n`);
  return `# Third-party notices\n\ntelctl contains these packages.\n\n${parts.join('\n')}`;
}
