import { readFileSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Files, files } from '../../../src/base/host/files.ts';
import { isSignIn, openWorld, type World } from '../../support/world.ts';

const menus = (retries: number, ...names: readonly string[]): string =>
  `menus:\n${names.map((name) => `  ${name}: { name: ${name}, retries: ${retries} }\n`).join('')}`;

const isLedger = (path: string): boolean => path.includes('/ledgers/') && path.endsWith('.json');

const ledgerPath = (world: World): string =>
  world.filesWritten().find(({ path }) => isLedger(path))?.path ?? 'no ledger';

test('a ledger is read and written only by the holder of its lock', async () => {
  const world = await openWorld();
  const held = new Set<string>();
  const unheld: string[] = [];
  let written = 0;
  const recordWrite = (path: string): void => {
    if (isLedger(path)) written += 1;
    if (isLedger(path) && !held.has(path)) unheld.push(path);
  };
  const disk: Partial<Files> = {
    async withLock(path, work) {
      return files.withLock(path, async () => {
        held.add(path);
        try {
          return await work();
        } finally {
          held.delete(path);
        }
      });
    },
    writePrivate(path, text) {
      recordWrite(path);
      files.writePrivate(path, text);
    },
    writePrivateLater(path, text) {
      recordWrite(path);
      return files.writePrivateLater(path, text);
    },
  };
  for (const line of ['apply -f m.yaml --yes', 'adopt -f m.yaml --yes', 'undo --yes']) {
    const run = await world.telctl(line, { files: { 'm.yaml': menus(3, 'a', 'b') }, disk });
    expect(run.code, run.stderr).toBe(0);
  }
  expect(written).toBeGreaterThan(1);
  expect(unheld).toEqual([]);
});

test('two concurrent applies on one account lose no changes', async () => {
  const world = await openWorld();
  const sets = ['one', 'two', 'three'];
  const runs = await Promise.all(
    sets.map((name) =>
      world.telctl(`apply -f ${name}.yaml --set-name ${name} --yes`, {
        files: { [`${name}.yaml`]: menus(3, name) },
      }),
    ),
  );
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
  const { entries }: { entries: readonly { key: string }[] } = JSON.parse(
    readFileSync(ledgerPath(world), 'utf8'),
  );
  expect(entries.map(({ key }) => key).sort()).toEqual(['menus.one', 'menus.three', 'menus.two']);
});

test('a run is on disk before its first request, and each change is in the log before it is sent', async () => {
  const world = await openWorld();
  const events: string[] = [];
  const disk: Partial<Files> = {
    openAppendOnly(path) {
      const file = files.openAppendOnly(path);
      return {
        add(text) {
          events.push(String(JSON.parse(text).line));
          file.add(text);
        },
        flush() {
          events.push('flush');
          return file.flush();
        },
        close: () => file.close(),
      };
    },
  };
  const run = await world.telctl('apply -f m.yaml --yes --concurrency 1', {
    files: { 'm.yaml': menus(3, 'a', 'b') },
    disk,
    faults: [{ method: 'PUT', fault: { kind: 'pass' }, met: () => void events.push('request') }],
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.requests.filter((sent) => sent.method !== 'GET' && !isSignIn(sent))).toHaveLength(2);
  const change = ['begin', 'request', 'end'];
  expect(events).toEqual(['start', 'flush', ...change, ...change, 'finish', 'flush']);
});

test('changes of a killed run are not drift if the ledger was rebuilt with another salt', async () => {
  const world = await openWorld();
  const apply = (retries: number, disk: Partial<Files> = {}) =>
    world.telctl('apply -f m.yaml --yes --max-change-percent 100', {
      files: { 'm.yaml': menus(retries, 'a', 'b') },
      disk,
    });
  expect((await apply(3)).code).toBe(0);
  const full: Partial<Files> = {
    async writePrivateLater(path, text) {
      if (isLedger(path)) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      await files.writePrivateLater(path, text);
    },
  };
  const cut = await apply(5, full);
  expect(cut.code, cut.stderr).toBe(8);
  const before: { salt: string } = JSON.parse(readFileSync(ledgerPath(world), 'utf8'));
  rmSync(ledgerPath(world));
  const next = await apply(7);
  expect(next.code, next.stderr).toBe(0);
  expect(next.stderr).not.toContain('others');
  const { salt, entries }: { salt: string; entries: readonly { key: string; fields: unknown }[] } =
    JSON.parse(readFileSync(ledgerPath(world), 'utf8'));
  expect(salt).not.toBe(before.salt);
  expect(entries.map(({ key }) => key)).toEqual(['menus.a', 'menus.b']);
  const again = await world.telctl('plan -f m.yaml --exit-code');
  expect(again.code, again.stdout).toBe(0);
});
