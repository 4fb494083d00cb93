import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import type { DesiredObject } from '../../src/manifest/desired/desired.ts';
import { shownReferences } from '../../src/manifest/desired/references.ts';
import { officeObjects } from '../support/manifest-arbitrary.ts';
import { openWorld, type Run } from '../support/world.ts';

/** The manifest that says so; users need a password. */
function manifestOf(objects: readonly DesiredObject[]): string {
  const sections = new Map<string, JsonObject>();
  for (const { kind, name, key, fields: own } of objects) {
    const fields = kind === 'users' ? { password: 'one-secret', ...own } : own;
    sections.set(kind, key === kind ? fields : { ...sections.get(kind), [name]: fields });
  }
  return shownReferences(JSON.stringify({ set: 'office', ...Object.fromEntries(sections) }));
}

const writes = ({ requests }: Run) =>
  requests.filter(({ method, path }) => method !== 'GET' && !/\/(?:user_auth|api_auth)$/.test(path));

/** What a plan would change, as `key field`. */
function changesOf(run: Run): readonly string[] {
  const { accounts }: { accounts: readonly { steps: readonly JsonObject[] }[] } = JSON.parse(run.stdout);
  return accounts
    .flatMap(({ steps }) => steps)
    .filter(({ action }) => action === 'create' || action === 'update' || action === 'delete')
    .flatMap(({ key, changes }) =>
      (Array.isArray(changes) ? changes : []).map((change: Json) =>
        isObject(change) ? `${String(key)} ${String(change.path)}` : '',
      ),
    );
}

test('after an apply nothing is left to do, and an undo leads back to where it was', async () => {
  await fc.assert(
    fc.asyncProperty(officeObjects, officeObjects, async (first, second) => {
      const world = await openWorld();
      const apply = async (manifest: string, ...more: readonly string[]): Promise<void> => {
        const argv = [
          'apply',
          '-f',
          'office.json',
          '--yes',
          '--max-change-percent',
          '100',
          '--accept-charges',
          ...more,
        ];
        const run = await world.telctl(argv, { files: { 'office.json': manifest } });
        expect(run.code, run.stderr).toBe(0);
        const again = await world.telctl(argv);
        expect(writes(again), again.stderr).toEqual([]);
        expect(again.code, again.stderr).toBe(0);
      };
      await apply(manifestOf(first));
      const before = await world.telctl('apply history -o json');
      const prune =
        first.length > 0 && second.length > 0 ? ['--prune', '--force', '--max-deletes', '100'] : [];
      const seen = await world.telctl(['plan', '-f', 'office.json', '-o', 'json', ...prune], {
        files: { 'office.json': manifestOf(second) },
      });
      // What goes on referring to a deleted object does not find the one that an undo makes, which has another id.
      const isLeftBehind = seen.stdout.includes('is used by ');
      await apply(manifestOf(second), ...prune);
      const runs: readonly JsonObject[] = JSON.parse((await world.telctl('apply history -o json')).stdout);
      if (runs.length === JSON.parse(before.stdout).length) return;
      const undo = await world.telctl(['undo', String(runs[0]?.run), '--yes', '--accept-charges']);
      expect([0, 8], undo.stderr).toContain(undo.code);
      expect(undo.stderr).not.toContain('failed  ');
      if (isLeftBehind) return;
      const plan = await world.telctl('plan -f office.json -o json', {
        files: { 'office.json': manifestOf(first) },
      });
      // Secrets are kept nowhere, so they stay as they are.
      expect(changesOf(plan).filter((change) => !/ (?:password|record_pin)$/.test(change))).toEqual([]);
    }),
    { numRuns: 25, endOnFailure: false, seed: Number(process.env.FUZZ_SEED ?? 20_261_122) },
  );
}, 120_000);
