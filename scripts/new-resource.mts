/**
 * Creates a resource: `npm run new:resource parks [park]` writes its file, its list entry and its sample, and
 * generates derived files. It changes the current folder.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { humanize, hyphenate } from '../src/base/wording.ts';

const [
  name = '',
  singular = name
    .replace(/ies$/, 'y')
    .replace(/([sx])es$/, '$1')
    .replace(/s$/, ''),
] = process.argv.slice(2);
const file = `src/contract/resources/${hyphenate(name)}.ts`;
const list = 'src/contract/resource-list.ts';
const samples = 'src/contract/samples.ts';

function refuse(why: string): never {
  console.error(`${why}\nUsage: npm run new:resource PLURAL [SINGULAR], such as parks park`);
  process.exit(2);
}

if (!/^[a-z]+(_[a-z]+)*$/.test(name) || !/^[a-z]+( [a-z]+)*$/.test(humanize(singular)) || singular === name)
  refuse('A resource has a plural and a singular of small letters, words joined by _.');
if (existsSync(file)) refuse(`${file} is there already.`);

const title = humanize(singular.charAt(0).toUpperCase() + singular.slice(1));
const article = /^[aeio]/.test(singular) ? 'An' : 'A';

writeFileSync(
  file,
  `import { integer } from '../fields.ts';
import { collection, resource } from '../resource.ts';
import * as shared from '../structures.ts';

/** TODO: say what ${humanize(name)} are for, and where the specification describes them. */
export const ${name} = resource({
  name: '${name}',
  singular: '${humanize(singular)}',
  summary: '${title} records of an account',
  naturalKeys: ['name'],
  section: 'Resources and their fields, ${title}',
  listedIn: 'Endpoints, Account resources',
  doc: '${article} ${humanize(singular)}',
  fields: () => ({
    id: shared.id,
    name: shared.name,
    owner_id: shared.ownerId,
    size: integer('Size', { option: true, convention: { minimum: 1 } }),
  }),
  required: [{ fields: ['name'], on: ['create', 'update'], source: 'convention' }],
  columns: ['name', 'size', 'id'],
  listFields: ['name', 'size', 'owner_id'],
  // Pass the verbs that the specification lists in \`documented\`.
  operations: [collection({ documented: [] })],
});
`,
);

/** Inserts a line in alphabetical order among `lines`. */
function insertSorted(path: string, line: string, isOne: (line: string) => boolean): void {
  const lines = readFileSync(path, 'utf8').split('\n');
  const after = lines.findIndex((each) => isOne(each) && each > line);
  const at = after === -1 ? lines.findLastIndex(isOne) + 1 : after;
  writeFileSync(path, lines.toSpliced(at, 0, line).join('\n'));
}

insertSorted(list, `export { ${name} } from './resources/${hyphenate(name)}.ts';`, (line) =>
  line.startsWith('export {'),
);

const rows = readFileSync(samples, 'utf8');
const row = `  ${name}: { record: { name: 'First ${humanize(singular)}', size: 4 }, change: { size: 5 } },\n`;
writeFileSync(samples, rows.replace(/(export const samples\b[\s\S]*?\n)\};\n/, `$1${row}};\n`));

const { status } = spawnSync(process.execPath, ['scripts/generate.mts'], { stdio: 'inherit' });
console.log(`wrote ${file}, its line in ${list} and its row in ${samples}`);
process.exitCode = status ?? 1;
