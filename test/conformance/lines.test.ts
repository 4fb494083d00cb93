import { describe, expect, test } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import type { Command } from '../../src/cli/command/command.ts';
import { doesIn } from '../../src/cli/shell/self/list-commands.ts';
import { operations as contractOperations, operationById } from '../../src/contract/catalogue.ts';
import { behaviourOf } from '../../src/sandbox/behaviour.ts';
import type { Change } from '../../src/sandbox/store/store.ts';
import { allCommands } from '../support/command-lines.ts';
import { throughValidatingProxy } from '../support/described.ts';
import { canChange, eachLine, isRemote, named, nameOf, writes } from '../support/each-line.ts';
import type { SentRequest } from '../support/inject-transport.ts';
import { mode } from '../support/mode.ts';
import {
  doesOfOptions,
  doesOfRequests,
  operationsOfRequests,
  recordingMachine,
  shownSecrets,
} from '../support/what-it-did.ts';
import { openWorld, type Run } from '../support/world.ts';

throughValidatingProxy();

const changedRecord = (change: Change): string =>
  change.change === 'put' ? `put ${change.record.kind} ${change.record.id}` : change.change;

/**
 * Tells whether a command declares an operation that changes something, or reads more than records. One without
 * operations has no fixed ones: it carries out a manifest, or what the line says; `conformance` tries all. A patch is
 * sent whole where a service wants that.
 */
const mayCall = ({ path, operations }: Command, id: string): boolean =>
  operations === undefined ||
  path[0] === 'conformance' ||
  [id, id.replace(/\.update$/, '.patch')].some((each) => operations.includes(each));

/** True for a read of records, by which names and what is there are looked up: any command may do that unsaid. */
const looksUp = (id: string): boolean => {
  const { verb, reply } = operationById(id);
  return ['list', 'get'].includes(verb) || reply.kind === 'list' || reply.kind === 'record';
};

const reads = ({ requests }: Run): readonly SentRequest[] =>
  requests.filter(({ method }) => method === 'GET');

for (const command of allCommands.filter(({ path }) => path[0] !== 'sandbox')) {
  test(`${nameOf(command)} works as its lines say, and does nothing else than it declares`, async () => {
    await eachLine(
      command,
      () => true,
      async (world, { argv, answered, run, code, changes }) => {
        const stored: Change[] = [];
        world.sandbox.store.watch((committed) => stored.push(...committed));
        const machine = recordingMachine(world.folders.cwd, [world.folders.home]);
        const done = await world.telctl([...argv, ...answered], { ...run, ...machine.run });
        expect(done.code, `${argv.join(' ')}: ${done.stderr}`).toBe(code);
        const declared = new Set([...doesIn(command), ...(await doesOfOptions(command, argv))]);
        const did = [...machine.done, ...doesOfRequests(writes(done)), ...shownSecrets(world, done)];
        expect(did.filter(([word]) => !declared.has(word))).toEqual([]);
        const called = [
          ...operationsOfRequests(writes(done)),
          ...operationsOfRequests(reads(done)).filter((id) => !looksUp(id)),
        ];
        expect(
          called.filter((id) => !mayCall(command, id)),
          argv.join(' '),
        ).toEqual([]);
        // Assistants and read-only profiles may do all that is said to read: it leaves the service as it was.
        const isSignIn = doesIn(command).includes('sign-in');
        if (!canChange(command) && command.attended !== true && !isSignIn)
          expect(stored.map(changedRecord), argv.join(' ')).toEqual([]);
        if (changes) expect(writes(done), argv.join(' ')).not.toEqual([]);
      },
    );
  });
}

/** The dry run of a reconciliation looks, as its rounds do that correct nothing: it shows objects in drift, no requests. */
const onlyLooks = ({ path }: Command): boolean => path[0] === 'reconcile';

for (const command of allCommands.filter((each) => isRemote(each) && canChange(each) && !onlyLooks(each))) {
  test(`${nameOf(command)} shows with --dry-run what it would send, and sends none of it`, async () => {
    await eachLine(
      command,
      ({ changes }) => changes,
      async (world, { argv, answered, run, code }) => {
        const tried = await world.telctl([...argv, ...answered, '--dry-run', '-o', 'json'], run);
        expect([tried.code, named(writes(tried))], tried.stderr).toEqual([code, []]);
        const done = await world.telctl([...argv, ...answered], run);
        const { requests, changes } = shownIn(tried);
        expect(changes, tried.stdout).toBe(changing(done).length);
        if (requests) expect(requests).toEqual(named(changing(done)));
      },
    );
  });
}

/** The writes of a run, less those that put away what the run itself had made, or changed what is in it. */
function changing(run: Run) {
  const sent = writes(run);
  const isAccount = ({ path }: SentRequest): boolean => /^\/v2\/accounts\/[^/]+$/.test(path);
  const made = sent.filter(({ method }) => method === 'PUT');
  const ended = made.some(isAccount)
    ? sent.filter((each) => each.method === 'DELETE' && isAccount(each))
    : [];
  return sent.filter(
    ({ method, path }) =>
      !(method === 'DELETE' && made.some((each) => path.startsWith(`${each.path}/`))) &&
      !ended.some((account) => `${path}/`.startsWith(`${account.path}/`)),
  );
}

/** JSON of a dry run: requests, or the steps of plans, or the rows of a spreadsheet. */
function shownIn({ stdout }: Run): { readonly changes: number; readonly requests?: readonly string[] } {
  const said: unknown = JSON.parse(stdout);
  const objects = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []);
  if (Array.isArray(said)) return { changes: said.length };
  if (!isObject(said)) return { changes: 0 };
  if (said.requests === undefined) {
    const steps = objects(said.accounts).flatMap((account) => objects(account.steps));
    return { changes: steps.filter(({ action }) => action !== 'unchanged').length };
  }
  // What was sent is known by its path, without query.
  const requests = objects(said.requests).map(
    ({ method, path }) => `${method} ${String(path).split('?')[0]}`,
  );
  return { changes: requests.length, requests };
}

/** True for a command that an administrator of an account may not use, whatever it is about. */
const isForSuper = ({ operations: [id] = [] }: Command): boolean =>
  contractOperations.some((each) => each.id === id && each.role === 'super');

const oddIds = ['a/b', '..', '%2e%2e', 'two words', 'q?x=1', 'a#b', '100%'];

describe('odd ids', () => {
  // Services in the field refuse a number that they do not know with 500, and say no reason.
  const { phoneNumbers, mails } = behaviourOf(mode);
  const refusals = phoneNumbers.refusals === 'faults' ? [1, 2, 5, 10] : [2, 5, 10];
  /** Without a mailer a service fails (500) over a template that it does not know. */
  const fails = ({ path: [noun] }: Command) => noun === 'notifications' && mails.mailer !== 'kept';
  const ofOne = allCommands.filter(
    (command) => isRemote(command) && Object.keys(command.arguments).includes('id'),
  );
  for (const command of ofOne) {
    test(`${nameOf(command)} keeps an odd id in its own segment of the path`, async () => {
      const world = await openWorld();
      for (const id of oddIds) {
        const run = await world.telctl([...command.path, id, '--yes']);
        for (const { path } of run.requests) {
          const segments = path.split('/').map(decodeURIComponent);
          const isOwn =
            segments.includes(id) || !segments.some((segment) => id.includes(segment) && segment.length > 1);
          expect(isOwn, `${id} became ${path}`).toBe(true);
          expect(path.split('/')).not.toContain('..');
        }
        const allowed = [...refusals, ...(isForSuper(command) ? [4] : []), ...(fails(command) ? [75] : [])];
        expect(allowed, `${id}: ${run.code} ${run.stderr}`).toContain(run.code);
      }
    });
  }
});
