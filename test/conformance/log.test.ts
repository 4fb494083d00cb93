import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { findFieldNode } from '../../src/contract/schema.ts';
import { kinds } from '../../src/engine/manifest/kinds.ts';
import { toSendable } from '../../src/engine/manifest/sendable.ts';
import { allCommands, type CommandLine, createLines, explainLine } from '../support/command-lines.ts';
import type { SentRequest } from '../support/inject-transport.ts';
import { isSignIn, openWorld, type World } from '../support/world.ts';

/** Secrets of the command lines and of the sandbox. */
const canaries = ['first-sign-in', 'second-sign-in', 'app-secret'];

const isExchange = ({ body }: SentRequest): boolean => isObject(body) && body.action === 'refresh_token';

/** Returns true for a change that the service answered. Requests about tokens are not changes. */
const isWrite = (sent: SentRequest): boolean =>
  sent.method !== 'GET' &&
  !isSignIn(sent) &&
  !isExchange(sent) &&
  !/\/auth\/(?:tokeninfo|callback|authorize)$/.test(sent.path);

const logText = ({ folders }: World): string => {
  const folder = join(folders.home, '.local/state/telctl/log');
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [readFileSync(join(folder, entry.name), 'utf8')] : []))
    .join('');
};

/** Returns the options of a line that select the identity and the account. */
const scopeOptions = ({ argv }: CommandLine): readonly string[] =>
  ['--profile', '--account'].flatMap((option) => {
    const at = argv.indexOf(option);
    return at < 0 ? [] : argv.slice(at, at + 2);
  });

/** Default notifications without a stored record, by id. They are equal in every world. */
const unwritten = new Map<string, Json | undefined>();

/** Returns the records of an account that manifests support, without ids and fields that only the service writes. */
async function readRecords(world: World): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  const { accountId } = world.seed;
  const token = await world.sandbox.superToken();
  const read = async (path: string): Promise<Json | undefined> => {
    const reply = await world.sandbox.call('GET', path, { token });
    return reply.status === 200 ? reply.data : undefined;
  };
  for (const kind of kinds) {
    const { list, get } = kind.calls;
    const at = (path: string, id = ''): string =>
      `/v2${path.replace('{account_id}', accountId).replace(/\{\w+\}/, encodeURIComponent(id))}`;
    const records: Json[] = [];
    // Skips lists of kinds without stored records, which saves most of the time. Notifications also list defaults
    // without a stored record. Those are read once.
    const stored = await world.sandbox.store.allOfKind(kind.resource.name);
    const hasNone = kind.name !== 'notifications' && stored.length === 0;
    const readOne = async (path: string, id: string): Promise<Json | undefined> => {
      if (kind.name !== 'notifications' || stored.some((record) => record.id === id))
        return read(at(path, id));
      if (!unwritten.has(id)) unwritten.set(id, await read(at(path, id)));
      return unwritten.get(id);
    };
    if (kind.shape === 'one') records.push((get && (await read(at(get.path)))) ?? {});
    else if (!hasNone && list && get && kind.name !== 'accounts') {
      const items = await read(`${at(list.path)}?page_size=1000`);
      const ids = Array.isArray(items) ? items.filter(isObject).map(({ id }) => String(id)) : [];
      for (const id of ids) records.push((await readOne(get.path, id)) ?? {});
    }
    found.set(
      kind.name,
      records
        .filter(isObject)
        .map((record) => JSON.stringify(comparableFields(kind, record)))
        .sort(),
    );
  }
  return found;
}

/** Returns a record without read-only fields, secrets and default values. */
function comparableFields(kind: (typeof kinds)[number], record: JsonObject): JsonObject {
  const kept = Object.entries(toSendable(kind, record)).filter(([field, value]) => {
    const node = findFieldNode(kind.schema, field);
    const isEmpty = value === '' || (typeof value === 'object' && JSON.stringify(value).length === 2);
    // Metaflows are a separate kind, and the service sets their digit.
    const isOwn = kind.name === 'account_settings' && field === 'metaflows';
    const isUsual = value === node?.default || (field === 'binding_digit' && value === '*');
    return node !== undefined && node['x-secret'] !== true && !isEmpty && !isOwn && !isUsual;
  });
  return Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)));
}

for (const command of allCommands.filter(
  ({ path, effect, worst = effect }) => path[0] !== 'sandbox' && !['read', 'local'].includes(worst),
)) {
  test(`telctl ${command.path.join(' ')} logs each change without secrets, and undo reverts it or explains why it cannot`, async () => {
    for (let index = 0, count = 1; index < count; index += 1) {
      const world = await openWorld();
      const lines = await createLines(command, world);
      count = lines.length;
      const line = lines[index];
      if (!line?.changes) continue;
      const about = line.argv.join(' ');
      const before = await readRecords(world);
      const done = await world.telctl([...line.argv, ...line.answered], line.run);
      expect(done.code, explainLine(line, done.stderr)).toBe(line.code);
      const writes = done.requests.filter(isWrite);
      if (writes.length === 0) continue;

      const runs: readonly JsonObject[] = JSON.parse((await world.telctl('log -o json')).stdout);
      const [run] = runs;
      expect(run, about).toMatchObject({ state: expect.stringMatching(/finished|partial|interrupted/) });
      expect(String(run?.command), about).toContain(command.path.join(' '));
      const shown = JSON.parse((await world.telctl(`log show ${run?.id} -o json`)).stdout);
      const changes: readonly JsonObject[] = shown.changes;
      // One change may take several requests, for example to accept charges. Each must have an undo record.
      expect(changes.length, about).toBeGreaterThan(0);
      // A rollout is one run, regardless of the number of commands.
      const isAlone = shown.rollout === undefined;
      if (isAlone) expect(changes.length, about).toBeLessThanOrEqual(writes.length);
      for (const change of changes) {
        if (isAlone) expect(change.outcome, about).toMatch(/done|failed/);
        if (change.action === 'delete' && change.kind !== 'api')
          expect(change.before ?? change.not_kept, about).toBeDefined();
      }
      const text = logText(world) + JSON.stringify(shown);
      const secrets = [...canaries, world.seed.adminPassword, world.seed.apiKey];
      expect(
        secrets.filter((secret) => text.includes(secret)),
        about,
      ).toEqual([]);

      // After a change of another account, the proposed undo command names that account.
      const [, ...there] = /telctl undo \d+ (--account) (\S+)/.exec(done.stdout + done.stderr) ?? [];
      const scope = there.length > 0 ? there : scopeOptions(line);
      const undone = await world.telctl(['undo', String(run?.id), '--yes', '--force', ...scope]);
      const isWhole = undone.code === 0 && !undone.stderr.includes('Not reversed');
      if (isWhole) expect(await readRecords(world), `${about}: ${undone.stderr}`).toEqual(before);
      else
        expect(`${undone.code} ${undone.stderr}`, about).toMatch(
          /Not reversed:|can be reversed|[Ss]ign in|signed in/,
        );
    }
  });
}
