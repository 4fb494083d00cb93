import { expect, test } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import type { Command } from '../../src/cli/command/command.ts';
import { doesOfCommand } from '../../src/cli/shell/self/list-commands.ts';
import { operationById } from '../../src/contract/catalogue.ts';
import type { StoreChange } from '../../src/extensions/sandbox/store/store.ts';
import { aboutLine, allCommands } from '../support/command-lines.ts';
import { throughValidatingProxy } from '../support/described.ts';
import { distinctCommands } from '../support/distinct-commands.ts';
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
import type { Run } from '../support/world.ts';

throughValidatingProxy();

const changedRecord = (change: StoreChange): string =>
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

/**
 * True for a read of records, by which names and what is there are looked up, and of the classes of numbers, by which
 * restrictions and emergency calls are checked: any command may do that unsaid.
 */
const looksUp = (id: string): boolean => {
  if (id === 'numbers.classifiers') return true;
  const { verb, reply } = operationById(id);
  return ['list', 'get'].includes(verb) || reply.kind === 'list' || reply.kind === 'record';
};

const reads = ({ requests }: Run): readonly SentRequest[] =>
  requests.filter(({ method }) => method === 'GET');

/** The dry run of a reconciliation looks, as its rounds do that correct nothing: it shows objects in drift, no requests. */
const onlyLooks = ({ path }: Command): boolean => path[0] === 'reconcile';

/** True for a command that shows with `--dry-run` what it would send. */
const hasDryRun = (command: Command): boolean =>
  isRemote(command) && canChange(command) && !onlyLooks(command);

/** The other modes differ by what the service answers, which `operations.test.ts` tries with each operation. */
const commands = mode === undefined ? allCommands : distinctCommands;

for (const command of commands.filter(({ path }) => path[0] !== 'sandbox')) {
  const triesFirst = hasDryRun(command);
  const dryRun = triesFirst ? ', shows with --dry-run what it would send and sends none of it,' : '';
  test(`${nameOf(command)} works as documented${dryRun} and sends only its declared operations`, async () => {
    let dryRuns = 0;
    await eachLine(
      command,
      () => true,
      async (world, made) => {
        const { argv, answered, run, code, changes } = made;
        const line = [...argv, ...answered];
        const tried =
          triesFirst && changes ? await world.telctl([...line, '--dry-run', '-o', 'json'], run) : undefined;
        if (tried)
          expect([tried.code, named(writes(tried))], aboutLine(made, tried.stderr)).toEqual([code, []]);
        const stored: StoreChange[] = [];
        world.sandbox.store.watch((committed) => stored.push(...committed));
        const machine = recordingMachine(world.folders.cwd, [world.folders.home]);
        const done = await world.telctl(line, { ...run, ...machine.run });
        expect(done.code, aboutLine(made, done.stderr)).toBe(code);
        const declared = new Set([...doesOfCommand(command), ...(await doesOfOptions(command, argv))]);
        const did = [...machine.done, ...doesOfRequests(writes(done)), ...shownSecrets(world, done)];
        expect(
          did.filter(([word]) => !declared.has(word)),
          `${argv.join(' ')}: declare these under \`does\` of the command or of its option`,
        ).toEqual([]);
        const called = [
          ...operationsOfRequests(writes(done)),
          ...operationsOfRequests(reads(done)).filter((id) => !looksUp(id)),
        ];
        expect(
          called.filter((id) => !mayCall(command, id)),
          `${argv.join(' ')}: declare these under \`operations\` of the command`,
        ).toEqual([]);
        // Assistants and read-only profiles may do all that is said to read: it leaves the service as it was.
        const isSignIn = doesOfCommand(command).includes('sign-in');
        if (!canChange(command) && command.attended !== true && !isSignIn)
          expect(stored.map(changedRecord), argv.join(' ')).toEqual([]);
        if (changes)
          expect(writes(done), `No change was sent. ${aboutLine(made, done.stderr)}`).not.toEqual([]);
        if (tried) {
          dryRuns += 1;
          expectShown(tried, done);
        }
      },
    );
    expect(dryRuns > 0).toBe(triesFirst);
  });
}

/** Expects that a dry run showed what the run after it sent. */
function expectShown(tried: Run, done: Run): void {
  const { requests, changes } = shownIn(tried);
  expect(changes, tried.stdout).toBe(changing(done).length);
  if (requests) expect(requests).toEqual(named(changing(done)));
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
