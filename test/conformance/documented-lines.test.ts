import { expect, test } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import type { Command } from '../../src/cli/command/command.ts';
import { doesOfCommand } from '../../src/cli/shell/self/list-commands.ts';
import { operationById } from '../../src/contract/catalogue.ts';
import type { StoreChange } from '../../src/extensions/sandbox/store/store.ts';
import { allCommands, explainLine } from '../support/command-lines.ts';
import { distinctCommands } from '../support/distinct-commands.ts';
import { canChange, eachLine, isRemote, named, nameOf, writes } from '../support/each-line.ts';
import type { SentRequest } from '../support/inject-transport.ts';
import { mode } from '../support/mode.ts';
import { throughValidatingProxy } from '../support/validating-proxy.ts';
import {
  capabilitiesOfOptions,
  capabilitiesOfOutput,
  capabilitiesOfRequests,
  operationsOfRequests,
  recordingMachine,
} from '../support/what-it-did.ts';
import type { Run } from '../support/world.ts';

throughValidatingProxy();

const describeChange = (change: StoreChange): string =>
  change.change === 'put' ? `put ${change.record.kind} ${change.record.id}` : change.change;

/**
 * Returns true if a command declares an operation, or may call any. Commands without operations execute a manifest or
 * the line, and `conformance` tries all operations. Some services require a whole record instead of a patch, so
 * `patch` covers `update`.
 */
const mayCall = ({ path, operations }: Command, id: string): boolean =>
  operations === undefined ||
  path[0] === 'conformance' ||
  [id, id.replace(/\.update$/, '.patch')].some((each) => operations.includes(each));

/**
 * Returns true for a read that any command may send undeclared: of records, to look up names and current values, and
 * of number classifiers, to check restrictions and emergency calls.
 */
const isLookup = (id: string): boolean => {
  if (id === 'numbers.classifiers') return true;
  const { verb, reply } = operationById(id);
  return ['list', 'get'].includes(verb) || reply.kind === 'list' || reply.kind === 'record';
};

const readRequests = ({ requests }: Run): readonly SentRequest[] =>
  requests.filter(({ method }) => method === 'GET');

/** A dry run of `reconcile` shows drifted objects instead of requests. */
const isReconcile = ({ path }: Command): boolean => path[0] === 'reconcile';

/** Returns true if `--dry-run` shows the requests that the command would send. */
const hasDryRun = (command: Command): boolean =>
  isRemote(command) && canChange(command) && !isReconcile(command);

/** The other modes differ by their responses, which `operations.test.ts` tests for each operation. */
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
          expect([tried.code, named(writes(tried))], explainLine(made, tried.stderr)).toEqual([code, []]);
        const stored: StoreChange[] = [];
        world.sandbox.store.watch((committed) => stored.push(...committed));
        const machine = recordingMachine(world.folders.cwd, [world.folders.home]);
        const done = await world.telctl(line, { ...run, ...machine.run });
        expect(done.code, explainLine(made, done.stderr)).toBe(code);
        const declared = new Set([
          ...doesOfCommand(command),
          ...(await capabilitiesOfOptions(command, argv)),
        ]);
        const did = [
          ...machine.done,
          ...capabilitiesOfRequests(writes(done)),
          ...capabilitiesOfOutput(world, done),
        ];
        expect(
          did.filter(([word]) => !declared.has(word)),
          `${argv.join(' ')}: declare these under \`does\` of the command or of its option`,
        ).toEqual([]);
        const called = [
          ...operationsOfRequests(writes(done)),
          ...operationsOfRequests(readRequests(done)).filter((id) => !isLookup(id)),
        ];
        expect(
          called.filter((id) => !mayCall(command, id)),
          `${argv.join(' ')}: declare these under \`operations\` of the command`,
        ).toEqual([]);
        // Assistants and read-only profiles may run any command that is declared as a read, so it must not change the
        // service.
        const isSignIn = doesOfCommand(command).includes('sign-in');
        if (!canChange(command) && command.attended !== true && !isSignIn)
          expect(stored.map(describeChange), argv.join(' ')).toEqual([]);
        if (changes)
          expect(writes(done), `No change was sent. ${explainLine(made, done.stderr)}`).not.toEqual([]);
        if (tried) {
          dryRuns += 1;
          expectDryRunShowed(tried, done);
        }
      },
    );
    expect(dryRuns > 0).toBe(triesFirst);
  });
}

/** Expects that a dry run showed the requests that the actual run sent. */
function expectDryRunShowed(tried: Run, done: Run): void {
  const { requests, changes } = readDryRun(tried);
  expect(changes, tried.stdout).toBe(lastingWrites(done).length);
  if (requests) expect(requests).toEqual(named(lastingWrites(done)));
}

/** Returns the writes of a run, except those to records that the run created itself. */
function lastingWrites(run: Run) {
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

/** Reads the JSON of a dry run: requests, steps of plans, or rows of a spreadsheet. */
function readDryRun({ stdout }: Run): { readonly changes: number; readonly requests?: readonly string[] } {
  const said: unknown = JSON.parse(stdout);
  const objects = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []);
  if (Array.isArray(said)) return { changes: said.length };
  if (!isObject(said)) return { changes: 0 };
  if (said.requests === undefined) {
    const steps = objects(said.accounts).flatMap((account) => objects(account.steps));
    return { changes: steps.filter(({ action }) => action !== 'unchanged').length };
  }
  // Requests are compared by path without query.
  const requests = objects(said.requests).map(
    ({ method, path }) => `${method} ${String(path).split('?')[0]}`,
  );
  return { changes: requests.length, requests };
}
