// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import yaml from 'yaml';
import type { JsonObject } from '../../base/json.ts';
import { plainValue } from '../../cli/commands/api/send.ts';
import { parse } from '../input/read-documents.ts';
import { ExportBuilder } from './export-builder.ts';
import type { Exported } from './exported.ts';
import { kindByName } from './kinds.ts';
import { fileNames } from './manifest-files.ts';
import { manifestText } from './manifest-text.ts';

const account = { id: 'a'.repeat(32), name: 'acme', realm: 'acme.example', origin: 'https://api.example' };
const kind = kindByName('webhooks');

/** A webhook whose free field holds something, as an export. */
function exportOf(modifiers: JsonObject): Exported {
  const record = { id: 'b'.repeat(32), name: 'Any', modifiers };
  const lists = { account, exported: [{ kind, records: [record] }], others: [] };
  const maker = new ExportBuilder(lists, {
    reveal: false,
    taken: new Map(),
    defaults: false,
    allFields: false,
  });
  maker.addRecord(kind, record);
  return maker.finish(new Map());
}

/** Text that a manifest takes as it is: no marks, no masks, no `${`, which is written otherwise. */
const text = fc.string({ unit: 'binary' }).filter((each) => !/[\uE000\uE001•*#@{%]|\$\{/u.test(each));
const awkward = fc.constantFrom(
  ...[
    '',
    ' ',
    '~',
    'null',
    'no',
    'Yes',
    'off',
    'y',
    '+15551230000',
    '0100',
    '0x1f',
    '1e5',
    '12:30',
    '1_000',
    '.5',
    '-',
  ],
  ...[
    '- a',
    'a: b',
    'a #b',
    '? a',
    '&a',
    '!a',
    '|',
    '>',
    '"',
    "'",
    '[a]',
    ',',
    '2024-01-01',
    '=',
    '...',
    '---',
  ],
  ...[
    'a\nb',
    'a\n',
    '\na',
    'a\n\nb\n',
    ' a\nb',
    'a\n b\n',
    'a \nb',
    'a\tb\nc',
    'a\r\nb',
    '\u2028',
    '\u0085',
    '\ufeff',
    '\u202e',
    'ß',
    '日本',
  ],
);
const scalar = fc.oneof(
  text,
  awkward,
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => (Object.is(each, -0) ? 0 : each)),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 4 }, scalar, fc.array(tie('any'), { maxLength: 4 }), tie('map')),
  map: fc.dictionary(fc.oneof(text, awkward), tie('any'), { maxKeys: 4 }),
}));

describe('manifest text', () => {
  test('parses to the same values in telctl, YAML 1.2 and YAML 1.1', async () => {
    await fc.assert(
      fc.asyncProperty(value.map, async (made) => {
        const modifiers = JSON.parse(JSON.stringify(made)) as JsonObject;
        const written = manifestText(exportOf(modifiers), []);
        const wanted = Object.keys(modifiers).length === 0 ? undefined : modifiers;
        const { documents, problems } = await parse('any.yaml', written);
        expect(problems).toEqual([]);
        const [root] = documents;
        const readers = [
          root ? plainValue(root) : undefined,
          yaml.parse(written, { version: '1.2' }),
          yaml.parse(written, { version: '1.1' }),
        ];
        for (const read of readers) expect(read.webhooks.any.modifiers).toEqual(wanted);
      }),
      { numRuns: 300 },
    );
  });

  it('contains no terminal control characters', () => {
    fc.assert(
      fc.property(value.map, (made) => {
        const written = manifestText(exportOf(JSON.parse(JSON.stringify(made))), []);
        expect(written.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      }),
    );
  });

  it('escapes text that looks like a reference', () => {
    const written = manifestText(exportOf({ a: '${users.x} $${y}', '${k}': 1 }), []);
    expect(written).toContain('a: "$${users.x} $$${y}"');
    expect(written).toContain('"$${k}": 1');
  });
});

describe('file names', () => {
  it('stay inside their folder and are unique for any object names', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom(
        '..',
        '../../etc/passwd',
        '/etc/passwd',
        'a\0b',
        'CON',
        'con',
        'nul',
        'com1',
        'Lpt9',
        'a.',
        'A',
        'a',
        '.git',
        '~',
        '-rf',
        'x'.repeat(500),
        'aux.yaml',
        'C:\\x',
        '__proto__',
        'constructor',
      ),
    );
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 30 }), (names) => {
        const files = [...fileNames(names).values()];
        expect(files).toHaveLength(names.length);
        expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(names.length);
        for (const file of files) {
          expect(file).toMatch(/^[a-z0-9_][a-z0-9_-]{0,119}$/);
          expect(file).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)$/);
        }
      }),
      { numRuns: 500 },
    );
  });
});
