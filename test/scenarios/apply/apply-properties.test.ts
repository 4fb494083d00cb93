import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../../src/base/json.ts';
import { type DesiredObject, shownReferences } from '../../../src/engine/manifest/desired.ts';
import { officeObjects } from '../../support/manifest-arbitrary.ts';
import { openWorld, type Run, type World } from '../../support/world.ts';

/** Returns a manifest of the objects. Users get a password. */
function formatManifest(objects: readonly DesiredObject[]): string {
  const sections = new Map<string, JsonObject>();
  for (const { kind, name, key, fields: own } of objects) {
    const fields = kind === 'users' ? { password: 'one-secret', ...own } : own;
    sections.set(kind, key === kind ? fields : { ...sections.get(kind), [name]: fields });
  }
  return shownReferences(JSON.stringify({ set: 'office', ...Object.fromEntries(sections) }));
}

const writes = ({ requests }: Run) =>
  requests.filter(({ method, path }) => method !== 'GET' && !/\/(?:user_auth|api_auth)$/.test(path));

/** Returns the changes of a plan as `key field`. */
function plannedChanges(run: Run): readonly string[] {
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

const kinds = ['users', 'menus', 'groups', 'directories', 'callflows', 'limits'];
/** Fields that the service writes, and fields that are never stored. */
const unrestored = new Set(['id', '_read_only', 'password', 'record_pin']);

/** Returns all records of the account with names instead of ids, because restored objects get new ids. */
async function readRecords({ service, sandbox, seed }: World): Promise<Json> {
  const token = await sandbox.adminToken();
  const listIds = async (kind: string): Promise<readonly string[]> => {
    const { data } = await sandbox.call('GET', `/v2/accounts/${seed.accountId}/${kind}`, { token });
    return Array.isArray(data) ? data.map((item: Json) => (isObject(item) ? String(item.id) : '')) : [''];
  };
  const records = new Map<string, JsonObject>();
  const names = new Map<string, string>();
  for (const kind of kinds)
    for (const id of await listIds(kind)) {
      const record = await service('GET', id === '' ? kind : `${kind}/${id}`);
      const name = `${kind} ${String(record.username ?? record.name ?? '')}`;
      names.set(id, name);
      records.set(name, record);
    }
  // Drops the defaults that the service adds for another module: a timeout of 20, a voice.
  const withoutDefaults = ({ id, text, timeout }: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries({ id, text, timeout }).filter(([, value]) => value !== undefined && value !== 20),
    );
  const nameOfId = (text: string): string => names.get(text) ?? text;
  const normalize = (value: Json): Json => {
    if (typeof value === 'string') return nameOfId(value);
    if (Array.isArray(value)) return value.map(normalize);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) =>
        unrestored.has(key) && names.has(String(value.id ?? ''))
          ? []
          : [
              [
                nameOfId(key),
                normalize(key === 'data' && isObject(inner) ? withoutDefaults(inner) : (inner ?? null)),
              ],
            ],
      ),
    );
  };
  return Object.fromEntries([...records].toSorted().map(([name, record]) => [name, normalize(record)]));
}

test('a plan after apply is empty, and undo restores the previous state', async () => {
  const beganMs = performance.now();
  await fc.assert(
    fc.asyncProperty(officeObjects, officeObjects, async (first, second) => {
      // A slow machine tries fewer accounts.
      if (performance.now() - beganMs > 60_000) return;
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
      await apply(formatManifest(first));
      const before = await world.telctl('apply history -o json');
      const then = await readRecords(world);
      const prune =
        first.length > 0 && second.length > 0 ? ['--prune', '--force', '--max-deletes', '100'] : [];
      const seen = await world.telctl(['plan', '-f', 'office.json', '-o', 'json', ...prune], {
        files: { 'office.json': formatManifest(second) },
      });
      // An undo creates deleted objects with new ids, so remaining references to the old ids stay broken.
      const isLeftBehind = seen.stdout.includes('is used by ');
      await apply(formatManifest(second), ...prune);
      const runs: readonly JsonObject[] = JSON.parse((await world.telctl('apply history -o json')).stdout);
      if (runs.length === JSON.parse(before.stdout).length) return;
      const undo = await world.telctl(['undo', String(runs[0]?.run), '--yes', '--accept-charges']);
      expect([0, 8], undo.stderr).toContain(undo.code);
      expect(undo.stderr).not.toContain('failed  ');
      if (isLeftBehind) return;
      const plan = await world.telctl('plan -f office.json -o json', {
        files: { 'office.json': formatManifest(first) },
      });
      // Secrets are not stored, so undo cannot restore them.
      expect(plannedChanges(plan).filter((change) => !/ (?:password|record_pin)$/.test(change))).toEqual([]);
      expect(await readRecords(world)).toEqual(then);
    }),
    // Every run tries other accounts. A failure prints its seed.
    {
      numRuns: 25,
      endOnFailure: true,
      ...(process.env.FUZZ_SEED ? { seed: Number(process.env.FUZZ_SEED) } : {}),
    },
  );
});
