import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '../../support/clock.ts';
import { openWorld } from '../../support/world.ts';

const office = {
  'office.yaml':
    'set: demo\nusers: { eve: { username: eve, first_name: E, last_name: V, password: x-1-y-2-z } }\nmenus: { main: { name: Main, retries: 3 } }\n',
  'later.yaml': 'set: demo\nmenus: { main: { name: Main, retries: 2 } }\n',
};

/** Commands that read stored files. They must end, whatever the files contain. */
const lines = [
  'users list -o name',
  'whoami -o json',
  'profiles list',
  'config explain',
  'doctor',
  'apply history',
  'diff -f office.yaml',
  'apply x.plan --dry-run',
  'apply --resume --dry-run',
  'undo --dry-run',
];

/** Returns damaged variants of a file. */
function damageFile(bytes: Buffer, pick: (most: number) => number): readonly Buffer[] {
  const flipBit = (at: number, bit: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ (1 << bit);
    return copy;
  };
  return [
    Buffer.alloc(0),
    bytes.subarray(0, pick(bytes.length)),
    bytes.subarray(0, bytes.length - 2),
    ...Array.from({ length: 3 }, () => flipBit(pick(bytes.length), pick(8))),
    Buffer.from('null'),
    Buffer.from('[]'),
    Buffer.alloc(64),
  ];
}

test('a damaged file of telctl is reported or rebuilt, and never a crash', async () => {
  const world = await openWorld();
  for (const line of [
    'apply -f office.yaml --yes',
    'apply -f later.yaml --yes',
    'plan -f office.yaml --out x.plan',
  ]) {
    const run = await world.telctl(line, { files: office });
    expect(run.code, run.stderr).toBe(0);
  }
  const random = seededRandom(Number(process.env.DAMAGE_SEED ?? 5));
  const pick = (most: number): number => Math.floor(random.fraction() * most);
  const listFiles = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const kept = [...listFiles(world.folders.home), join(world.folders.cwd, 'x.plan')].filter((path) =>
    statSync(path).isFile(),
  );
  expect(kept.map((path) => path.split('/').at(-2))).toEqual(
    expect.arrayContaining(['telctl', 'credentials', 'tokens', 'ledgers', 'work']),
  );
  const whole = new Map(kept.map((path) => [path, readFileSync(path)]));
  const restore = (): void => {
    for (const [path, bytes] of whole) writeFileSync(path, bytes, { mode: 0o600 });
  };
  // Each damage is tried with a third of the commands, so that every file is tried with every command.
  for (const [path, bytes] of whole)
    for (const [index, damage] of damageFile(bytes, pick).entries())
      for (const line of lines.filter((_, at) => (at + index) % 3 === 0)) {
        restore();
        writeFileSync(path, damage, { mode: 0o600 });
        const run = await world.telctl(line);
        const shown = `${path} damage ${index}, ${line}: ${run.stderr}`;
        expect(run.stderr, shown).not.toMatch(/bug in telctl|\n\s+at |SyntaxError|undefined|\[object/);
        expect([0, 1, 2, 4, 5, 6, 8, 9, 10, 75], shown).toContain(run.code);
        expect(run.code === 0 || run.stderr !== '', shown).toBe(true);
      }
});
