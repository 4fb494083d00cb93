// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import yaml from 'yaml';
import { manifestWorld } from '../../../../test/support/manifest-world.ts';
import { Failure } from '../../../base/failure.ts';
import type { Json } from '../../../base/json.ts';
import { plainValue } from '../../../cli/commands/api/send.ts';
import { textSource } from '../../input/document.ts';
import { readJson } from '../../input/json-document.ts';
import { referencesIn, referenceTo } from '../desired.ts';
import type { Manifest } from '../read-manifest.ts';
import { mergeNodes } from './drafts.ts';
import { parsePieces } from './expand.ts';

const name = fc.stringMatching(/^[a-z][a-z0-9.-]{0,8}$/);
const words = fc.oneof(
  fc.string(),
  fc.constantFrom('0100', '1e5', 'null', 'yes', '+15551230000', '12:30', '~'),
);
/** Text that holds nothing to be filled in, nor what stands for a secret elsewhere. */
const text = words.filter((each) => !/[$•*#@{[<(\uE000\uE001]/.test(each));

/** Numbers that can be dialed, of which some look like other values in YAML. */
const dialled = fc.constantFrom('0100', 'null', 'yes', '+15551230000', '~', '');

const users = fc.dictionary(
  name,
  fc.record(
    {
      first_name: text,
      enabled: fc.boolean(),
      caller_id: fc.record({ internal: fc.record({ number: dialled }) }),
      flags: fc.array(text, { maxLength: 3 }),
      timezone: fc.constant(null),
    },
    { requiredKeys: [] },
  ),
  { minKeys: 1, maxKeys: 5 },
);

/** Users by the names of a file, so that those of two files are never the same. */
const inFile = (file: string, found: Readonly<Record<string, object>>) => ({
  users: Object.fromEntries(
    Object.entries(found).map(([key, fields]) => [
      `${key}-${file}`,
      { username: `${key}-${file}`, ...fields },
    ]),
  ),
});

/** Result of reading a manifest, places and inputs aside. */
const gist = ({ desired }: Manifest) =>
  desired.accounts.map(({ account, objects }) => ({
    account,
    objects: objects.map(({ key, fields, refersTo, unset }) => ({ key, fields, refersTo, unset })),
  }));

const byKey = (manifest: Manifest) =>
  gist(manifest).map(({ objects }) => new Map(objects.map((object) => [object.key, object])));

const asDocument = (value: Json) => {
  const json = JSON.stringify(value);
  return readJson(textSource('a.json', json, 'typed'), json);
};

describe('a manifest', () => {
  it('has the same meaning in any order of its files if object names are distinct', async () => {
    const { read } = manifestWorld();
    await fc.assert(
      fc.asyncProperty(users, users, async (one, other) => {
        const files = {
          'a.yaml': yaml.stringify(inFile('a', one)),
          'b.yaml': yaml.stringify(inFile('b', other)),
        };
        const forth = await read(files, ['a.yaml', 'b.yaml']);
        const back = await read(files, ['b.yaml', 'a.yaml']);
        expect(byKey(back)).toEqual(byKey(forth));
      }),
      { numRuns: 60 },
    );
  });

  it('has the same meaning in YAML, in JSON and in one file per object', async () => {
    const { read } = manifestWorld();
    await fc.assert(
      fc.asyncProperty(users, async (found) => {
        const whole = inFile('a', found);
        const single = Object.entries(whole.users).map(
          ([key, fields], index) => [`${index}.yaml`, yaml.stringify({ users: { [key]: fields } })] as const,
        );
        const fromYaml = gist(await read({ 'a.yaml': yaml.stringify(whole) }));
        expect(gist(await read({ 'a.json': JSON.stringify(whole) }))).toEqual(fromYaml);
        expect(
          gist(
            await read(
              Object.fromEntries(single),
              single.map(([file]) => file),
            ),
          ),
        ).toEqual(fromYaml);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps references anywhere in text and leaves the rest of the text unchanged', async () => {
    const { read } = manifestWorld();
    const piece = fc.oneof(
      text.map((each) => ({ written: each, meant: each })),
      fc
        .constantFrom('a.b', 'bob')
        .map((each) => ({ written: `\${users.${each}}`, meant: referenceTo(`users.${each}`) })),
      fc.constant({ written: '$${x}', meant: '${x}' }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 5 }), async (pieces) => {
        // A $ before a reference would make it a literal.
        const written = `<${pieces.map((each) => each.written).join(' ')}>`;
        const meant = `<${pieces.map((each) => each.meant).join(' ')}>`;
        const callflow = { name: 'C', flow: { data: { [written]: [written] } } };
        const manifest = {
          users: { 'a.b': { username: 'a.b' }, bob: { username: 'bob' } },
          callflows: { c: callflow },
        };
        for (const file of ['a.yaml', 'a.json']) {
          const [account] = (await read({ [file]: JSON.stringify(manifest) })).desired.accounts;
          const found = account?.objects.find(({ key }) => key === 'callflows.c');
          expect(found?.fields.flow).toEqual({ data: { [meant]: [meant] } });
          expect(found?.refersTo).toEqual(referencesIn(meant));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('throws only a Failure for any text', async () => {
    const { read } = manifestWorld({ X: '1' });
    const pieces = fc.constantFrom(
      ...[
        'users',
        'limits',
        'account',
        ': ',
        '\n',
        '  ',
        '- ',
        '{',
        '}',
        '"',
        '${',
        '${users.a}',
        '${env.X}',
        '$${',
      ],
      ...[
        '${file.',
        '${var.',
        '&a ',
        '*a',
        '<<: ',
        '---\n',
        'null',
        'a',
        '.',
        '\uE000',
        'username',
        '__proto__',
        '|',
      ],
    );
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 40 }).map((each) => each.join('')),
    );
    await fc.assert(
      fc.asyncProperty(anything, fc.constantFrom('a.yaml', 'a.json'), async (content, file) => {
        await read({ [file]: content }).catch((error: unknown) => expect(error).toBeInstanceOf(Failure));
      }),
      { numRuns: 800 },
    );
  });
});

describe('overlays', () => {
  const leaf = fc.oneof(fc.string(), fc.constant(null), fc.array(fc.integer(), { maxLength: 3 }));
  /** Maps that hold maps under the same keys, so that each key is a map in all of them or in none. */
  const mapsOf = (levels: number): fc.Arbitrary<Json> =>
    levels === 0
      ? fc.record({ a: leaf }, { requiredKeys: [] })
      : fc.record(
          { a: leaf, b: fc.boolean(), c: mapsOf(levels - 1), d: mapsOf(levels - 1) },
          { requiredKeys: [] },
        );
  const value = mapsOf(3);

  it('are associative', () => {
    fc.assert(
      fc.property(value, value, value, (one, two, three) => {
        const [a, b, c] = [asDocument(one), asDocument(two), asDocument(three)];
        expect(plainValue(mergeNodes(mergeNodes(a, b), c))).toEqual(
          plainValue(mergeNodes(a, mergeNodes(b, c))),
        );
      }),
    );
  });

  it('have no effect if they are empty or repeat the base', () => {
    fc.assert(
      fc.property(value, (one) => {
        const a = asDocument(one);
        expect(plainValue(mergeNodes(a, asDocument({})))).toEqual(plainValue(a));
        expect(plainValue(mergeNodes(a, a))).toEqual(plainValue(a));
      }),
    );
  });
});

describe('text', () => {
  it('round-trips if the dollar sign of each interpolation is doubled', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('$', '{', '}', '${', 'a', '$$'), { maxLength: 12 }), (parts) => {
        const meant = parts.join('');
        const written = meant.replaceAll('${', () => '$${');
        const pieces = parsePieces(written) ?? [];
        expect(pieces.map((piece) => ('literal' in piece ? piece.literal : '?')).join('')).toBe(meant);
      }),
    );
  });
});
