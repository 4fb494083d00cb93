import { describe, expect, test } from 'vitest';
import { valueAt } from '../../src/base/json.ts';
import type { Command } from '../../src/cli/command/command.ts';
import { actsOnAccount } from '../../src/cli/shell/guard-run.ts';
import { operationById, operations, resourceByName } from '../../src/contract/catalogue.ts';
import { samples } from '../../src/contract/samples.ts';
import type { StoreChange } from '../../src/extensions/sandbox/store/store.ts';
import { type CalledSandbox, calledSandbox } from '../support/called-sandbox.ts';
import { seededRandom } from '../support/clock.ts';
import { createLines, explainLine, signInSuper } from '../support/command-lines.ts';
import { distinctCommands } from '../support/distinct-commands.ts';
import type { SentRequest } from '../support/inject-transport.ts';
import { isServedHere } from '../support/mode.ts';
import { isSignIn, openWorld, type Run, signedInOnce } from '../support/world.ts';

/** Part of the name of every record of the signed-in account, and of no other record. */
const canary = 'kestrel';
const nowhere = 'no-such-account';

const acting = await Promise.all(
  distinctCommands.map(async (command) => ({ command, acts: await actsOnAccount(command) })),
);
const wordsOf = ({ path }: Command): string => path.join(' ');
/** Local commands (`profiles set`, commands of a running sandbox) send no requests and have their own tests. */
const accepting = acting.filter(({ command, acts }) => acts && command.effect !== 'local');
const refusing = acting.filter(({ acts }) => !acts);

/**
 * Creates a world whose super administrator is signed in to an account with many records, all named after the canary.
 * The seeded account is a different one, below it.
 */
async function openFilledAccount() {
  const world = await openWorld();
  await signedInOnce(world, 'above', () => signInSuper(world));
  filling ??= recordFilling();
  const { ids, changes } = await filling;
  await world.sandbox.store.commit(changes);
  return { world, own: world.seed.masterAccountId, ids };
}

let filling: ReturnType<typeof recordFilling> | undefined;

/** Fills a sandbox equal to those of the tests. Returns the changes of its store. */
async function recordFilling(): Promise<{
  readonly ids: readonly string[];
  readonly changes: readonly StoreChange[];
}> {
  const random = seededRandom(7);
  const sandbox = await calledSandbox({ random });
  // Skips random bytes, so that ids differ from those of the test's sandbox.
  random.bytes(1_000_000);
  const changes: StoreChange[] = [];
  sandbox.store.watch((committed) => changes.push(...committed));
  const ids = await createRecords(sandbox);
  await sandbox.app.close();
  return { ids, changes };
}

/** Creates a record of each kind in the signed-in account, and returns the ids. */
async function createRecords(sandbox: CalledSandbox): Promise<readonly string[]> {
  const { seed } = sandbox;
  const token = await sandbox.superToken();
  const ids: string[] = [];
  for (const { verb, resource, path, method } of operations) {
    const example = samples[resource]?.record;
    const fields = resourceByName(resource).schema.properties ?? {};
    if (verb !== 'create' || !example || resource === 'accounts') continue;
    // SSO applications of a reseller are visible to the accounts below it.
    if (!path.startsWith('/accounts/{account_id}/') || /\{(?!account_id)/.test(path)) continue;
    const named = ['name', 'first_name', 'last_name', 'username'].filter((key) => Object.hasOwn(fields, key));
    const names = Object.fromEntries(named.map((key) => [key, `${canary}-${key}`]));
    const reply = await sandbox.call(method, `/v2${path.replace('{account_id}', seed.masterAccountId)}`, {
      token,
      data: { ...example, ...names },
    });
    if (reply.status !== 201) throw new Error(`${resource}: ${reply.text}`);
    // Singletons have the same id in every account.
    if (resourceByName(resource).kind === 'singleton') continue;
    // KAZOO returns a new fax as a document of its store, which has no `id`.
    ids.push(reply.at(valueAt(reply.data, '_id') === undefined ? 'data.id' : 'data._id'));
  }
  return ids;
}

/** Returns true for a request that looks up an account by name or realm. */
const isLookup = ({ method, path }: SentRequest, own: string): boolean =>
  method === 'GET' && (path === `/v2/accounts/${own}` || path === `/v2/accounts/${own}/descendants`);

/** Expected reads of the account above: its webhooks may send the same events. */
const readsAbove = new Map([['webhooks create', /\/webhooks(?:\/[0-9a-f]{32})?$/]]);

/** Returns the account ids in the path and query of a request. */
const namedAccountIds = ({ path, search }: SentRequest): readonly string[] =>
  [...`${path}${search}`.matchAll(/(?:accounts\/|account_id=)([0-9a-f]{32})/g)].map(([, id = '']) => id);

/** Returns true if `--account` was refused without a request. */
const isRefused = ({ code, stderr, requests }: Run): boolean =>
  code === 2 && stderr.includes('--account') && requests.length === 0;

test('shows records of the signed-in account without --account', async () => {
  const { world } = await openFilledAccount();
  for (const noun of ['users', 'menus', 'media'])
    expect((await world.telctl([noun, 'list', '--profile', 'super'])).stdout, noun).toContain(canary);
});

describe('--account is used', () => {
  for (const [index, { command }] of accepting.entries()) {
    test(`by telctl ${wordsOf(command)}`, async () => {
      const { world, own, ids } = await openFilledAccount();
      const { accountId, accountName, accountRealm } = world.seed;
      // A service with only the documented operations has no lookup of accounts, so only an id selects one.
      const names = isServedHere(operationById('accounts.get')) ? [accountName, accountRealm] : [];
      const account = [accountId, ...names][index % 3] ?? accountId;
      for (const made of await createLines(command, world)) {
        const { argv, run: given, answered, code } = made;
        const asSuper = ['--profile', 'super'];
        const dropped = await world.telctl([...argv, ...answered, ...asSuper, '--account', nowhere], given);
        expect(dropped.code, `an account that is not there: ${dropped.stdout}`).not.toBe(0);
        const run = await world.telctl([...argv, ...answered, ...asSuper, '--account', account], given);
        if (isRefused(run)) continue;
        expect(run.code, explainLine(made, run.stderr)).toBe(code);
        const above = readsAbove.get(wordsOf(command));
        const sent = run.requests.filter(
          (request) =>
            !isSignIn(request) &&
            !isLookup(request, own) &&
            !(request.method === 'GET' && above?.test(request.path)),
        );
        const others = sent.filter((request) => namedAccountIds(request).includes(own));
        expect(others.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
        const all = run.stdout + run.stderr + JSON.stringify(sent);
        for (const mark of [canary, ...ids]) expect(all, all).not.toContain(mark);
      }
    });
  }
});

describe('--account is refused before any request is sent', () => {
  for (const { command } of refusing) {
    test(`by telctl ${wordsOf(command)}`, async () => {
      const world = await openWorld();
      const first = new Set((command.anyOf ?? []).map(([each]) => each));
      const operands = Object.values(command.arguments)
        .filter(({ optional, name }) => !optional || first.has(name))
        .map(({ choices, name }) => choices?.[0] ?? `any-${name.toLowerCase()}`);
      const options = Object.values(command.options)
        .filter(({ required, flag }) => required || first.has(flag))
        .flatMap(({ choices, flag, minimum = 1, value }) =>
          value === undefined ? [`--${flag}`] : [`--${flag}`, choices?.[0] ?? String(minimum)],
        );
      const line = [...command.path, ...operands, ...options, '--account', world.seed.accountName];
      const run = await world.telctl(line);
      expect(isRefused(run), `${run.code} ${run.stderr}`).toBe(true);
    });
  }
});
