import { expect, test } from 'vitest';
import {
  isObject,
  type Json,
  type JsonObject,
  objectsIn,
  parseJson,
  valueAt,
} from '../../../src/base/json.ts';
import { encodeCell } from '../../../src/base/neutralise.ts';
import { csvLine } from '../../../src/cli/terminal/render-rows.ts';
import { resourceByName } from '../../../src/contract/catalogue.ts';
import type { ResourceName } from '../../../src/contract/types.ts';
import { minimalRecord } from '../../conformance/operation-rows.ts';
import { controlCharacters } from '../../support/control-characters.ts';
import { escapeReferences, freeTextPaths, setText } from '../../support/hostile-account.ts';
import { hostileStrings } from '../../support/hostile-strings.ts';
import { openWorld, type Run } from '../../support/world.ts';

// `FUZZ_SEED` gives each field other strings.
const seed = Number(process.env.FUZZ_SEED ?? '1');

/** Returns the lines of a file that a run refuses. Every refusal must be a sentence with a place. */
function refusedLines({ code, stderr }: Run): readonly number[] {
  expect([code, stderr.includes('\n    at ')], stderr).toEqual([10, false]);
  const problems = objectsIn(valueAt(parseJson(stderr), 'error.details.problems'));
  return problems.map(({ line, message }) => {
    expect(String(message)).not.toMatch(/\n/);
    expect(controlCharacters(String(message))).toEqual([]);
    return Number(line);
  });
}

const lineOf = (text: string, path: string): number =>
  text
    .split('\n')
    .findIndex((line) => line.trimStart().startsWith(`${JSON.stringify(path.split('.').at(-1))}: `)) + 1;

test.each([
  ['numbers', 'numbers create +15551230000'],
  ['ports', 'ports create'],
  ['accounts', 'accounts create'],
] as const)('hostile texts of %s are stored unchanged or refused with their place', async (name, create) => {
  const { telctl, sandbox } = await openWorld();
  const fields = freeTextPaths(resourceByName(name satisfies ResourceName).schema).filter(
    (field) => field !== 'id' && !field.startsWith('e911.'),
  );
  expect(fields.length).toBeGreaterThan(3);
  let texts = new Map(
    fields.map((field, at) => [field, hostileStrings[(at * 7 + seed * 13) % hostileStrings.length] ?? '']),
  );
  for (let round = 0; ; round += 1) {
    const record = [...texts].reduce<JsonObject>(
      (all, [field, text]) => setText(all, field.split('.'), escapeReferences(text)),
      minimalRecord(name),
    );
    const text = JSON.stringify(record, null, 1);
    const run = await telctl(`${create} -f r.json -o json`, { files: { 'r.json': text } });
    if (run.code === 0) break;
    expect(round, run.stderr).toBeLessThan(4);
    const refused = refusedLines(run);
    const fieldsSaid = [...texts.keys()].filter((field) => run.stderr.includes(field));
    texts = new Map(
      [...texts].filter(([field]) =>
        refused.length === 0 ? !fieldsSaid.includes(field) : !refused.includes(lineOf(text, field)),
      ),
    );
  }
  const records = await sandbox.store.allOfKind(name);
  const wrong = records.map(({ body }) =>
    [...texts].filter(([field, text]) => valueAt(body, field) !== text),
  );
  expect(wrong.toSorted((one, other) => one.length - other.length)[0]).toEqual([]);
});

/** Every fourth string, from the seed on. */
const some = hostileStrings.filter((text, at) => text.trim() !== '' && at % 4 === seed % 4);

test.each([['menus create -f people.csv -o json', 'name', 'menus', 'name']] as const)(
  '%s stores hostile cells unchanged or refuses them with their place',
  async (line, head, kind, field) => {
    const { telctl, sandbox } = await openWorld();
    const titles = `${head}\n`;
    const fileOf = (texts: readonly string[]): string =>
      titles + texts.map((text) => csvLine([encodeCell(text)])).join('');
    let left = some;
    for (let round = 0; ; round += 1) {
      const run = await telctl(line, { files: { 'people.csv': fileOf(left) } });
      if (run.code === 0) break;
      expect(round, run.stderr).toBeLessThan(3);
      const refused = refusedLines(run);
      expect(refused.length).toBeGreaterThan(0);
      left = left.filter((_, at) => !refused.includes(at + 2));
    }
    const stored = (await sandbox.store.allOfKind(kind)).map(({ body }) =>
      isObject(body) ? body[field] : undefined,
    );
    expect(left.filter((text: Json) => !stored.includes(text))).toEqual([]);
    expect(left.length).toBeGreaterThan(some.length / 2);
  },
);

test('hostile cells that are not encoded never end in a crash', async () => {
  const { telctl } = await openWorld();
  for (const text of some) {
    const files = { 'people.csv': `name\n${text}\n`, 'list.csv': `${text}\nname\n` };
    for (const name of Object.keys(files)) {
      const run = await telctl(`menus create --dry-run -f ${name}`, { files });
      expect([0, 2, 10], run.stderr).toContain(run.code);
      expect(run.stderr).not.toContain('\n    at ');
    }
  }
});
