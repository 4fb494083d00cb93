import { describe, expect, test } from 'vitest';
import { isObject } from '../../src/base/json.ts';
import { createLines } from '../support/command-lines.ts';
import { distinctCommands } from '../support/distinct-commands.ts';
import { eachLine } from '../support/each-line.ts';
import type { FaultRule } from '../support/faults.ts';
import type { SentRequest } from '../support/inject-transport.ts';
import { isSignIn, openWorld, type Run } from '../support/world.ts';

const changing = distinctCommands.filter(
  ({ effect, worst = effect, path }) => effect !== 'local' && worst !== 'read' && path[0] !== 'sandbox',
);

const isExchange = ({ body }: SentRequest): boolean => isObject(body) && body.action === 'refresh_token';
const isWrite = (request: SentRequest): boolean =>
  request.method !== 'GET' && !isSignIn(request) && !isExchange(request);

/** Lets `count` writes pass, and responds to all later requests with `status`. */
function failAfterWrites(count: number, status: number): readonly FaultRule[] {
  let done = 0;
  const writes = ['PUT', 'POST', 'PATCH', 'DELETE'].map(
    (method): FaultRule => ({
      method,
      path: /^(?!.*(?:user_auth|api_auth)$)/,
      when: () => done < count,
      fault: { kind: 'pass' },
      met: () => {
        done += 1;
      },
    }),
  );
  const answer = { kind: 'answer', status, body: '{"message":"not offered"}' } as const;
  return [...writes, { when: () => done >= count, fault: answer }];
}

/** Returns the number of writes of a run, and whether it read after the last one. */
function countWrites({ requests }: Run): { readonly count: number; readonly isRead: boolean } {
  const last = requests.findLastIndex(isWrite);
  return { count: requests.filter(isWrite).length, isRead: last >= 0 && last < requests.length - 1 };
}

/** Returns the last sentence of a run, without the part that a failed read can add. */
const lastSentence = ({ stderr }: Run): string =>
  (lastLine(stderr.split('\n')) ?? '').split(/[.:] /)[0] ?? '';

const lastLine = (lines: readonly string[]): string | undefined =>
  lines.findLast((line) => line !== '' && !line.startsWith('Next matches'));

const statuses = [401, 404, 500] as const;

/** Lines that read after their last write. */
const readers: string[] = [];

describe('completed writes are reported even if later reads fail', () => {
  for (const command of changing) {
    test(`telctl ${command.path.join(' ')}`, async () => {
      await eachLine(
        command,
        () => true,
        async (world, line, index) => {
          const whole = await world.telctl([...line.argv, ...line.answered], line.run);
          const { count: writes, isRead } = countWrites(whole);
          if (!isRead) return;
          readers.push(line.argv.join(' '));
          // Tries the statuses in turn, because the same code handles them for every command.
          for (const status of statuses.filter((_, turn) => turn !== readers.length % statuses.length)) {
            const other = await openWorld();
            const { argv, answered, run } = (await createLines(command, other))[index] ?? line;
            const faults = failAfterWrites(writes, status);
            const cut = await other.telctl([...argv, ...answered], { ...run, faults });
            expect([4, 5, 75], `${argv.join(' ')} (${status}): ${cut.stderr}`).not.toContain(cut.code);
            expect(cut.stderr).toContain(lastSentence(whole));
            expect(cut.stderr).not.toContain('Not signed in');
          }
        },
      );
    });
  }
});

test('some commands read after their last write', () => {
  expect(readers).not.toEqual([]);
});

test('a generated password is shown even if the sign-in with it fails', async () => {
  const world = await openWorld({ signIn: 'password' });
  const faults = failAfterWrites(1, 500);
  const run = await world.telctl(`users password ${world.seed.adminUserId} --generate`, { faults });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toMatch(/Changed the password of user \w+\. Checking the result failed/);
  await expect(world.sandbox.tokenOf('admin', run.stdout.trim())).resolves.toMatch(/./);
});
