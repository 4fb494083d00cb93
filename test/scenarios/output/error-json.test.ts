import { expect, test } from 'vitest';
import { openWorld, type Run } from '../../support/world.ts';

const user = (name: string, more = '') =>
  `  ${name}: { username: ${name}, first_name: U, last_name: Ser, password: first-sign-in${more} }\n`;
const bad = [{ fault: { kind: 'answer', status: 500 }, method: 'PUT', path: /\/menus$/, times: 9 }] as const;
const manifest = { 'm.yaml': `users:\n${user('alice')}menus:\n  main: { name: Main, retries: 99 }\n` };

const parseError = ({ stderr }: Run) => JSON.parse(stderr).error;

test.each(['json', 'ndjson'])(
  'with -o %s, stderr of a partial apply is one error with its warnings',
  async (format) => {
    const world = await openWorld();
    const line = `apply -f m.yaml --yes --on-error continue -o ${format}`;
    const run = await world.telctl(line, { files: manifest, faults: bad });
    expect(run.code).toBe(8);
    expect(parseError(run)).toMatchObject({
      kind: 'partial',
      warnings: [expect.stringContaining('in clear'), expect.stringContaining('retries')],
    });
    expect(run.stdout).toContain('users.alice');
  },
);

test('TELCTL_OUTPUT=json does the same; with -v and at a terminal, messages are printed as they occur', async () => {
  const world = await openWorld();
  const line = 'apply -f m.yaml --yes --on-error continue';
  const run = await world.telctl(line, { files: manifest, faults: bad, env: { TELCTL_OUTPUT: 'json' } });
  expect(parseError(run).kind).toBe('partial');
  for (const options of [{ tty: true }, {}]) {
    const loud = await world.telctl(`${line} -o json${options.tty ? '' : ' -v'}`, {
      faults: bad,
      ...options,
    });
    expect(loud.stderr).toContain('warning: ');
    expect(loud.code).toBe(1);
  }
});

test('warnings of a successful command are text', async () => {
  const world = await openWorld();
  const run = await world.telctl('users list -o json --fields usrname --allow-unknown-fields');
  expect(run.code).toBe(0);
  expect(run.stderr).toMatch(/^warning: .*usrname/);
});

test('an incomplete or invalid result is reported as its own error', async () => {
  const world = await openWorld();
  const nothing = await world.telctl('find nowhere-to-be-found -o json');
  expect([nothing.code, JSON.parse(nothing.stdout)]).toEqual([5, []]);
  expect(parseError(nothing)).toEqual({ kind: 'not_found', message: 'No matches.' });
  const faults = [{ fault: { kind: 'answer', status: 403 }, path: /\/menus/, times: 9 }] as const;
  const part = await world.telctl('export -o json', { faults });
  expect(part.code).toBe(8);
  expect(parseError(part)).toMatchObject({ kind: 'partial', warnings: [expect.stringContaining('menus')] });
  const differs = await world.telctl('diff -f m.yaml --exit-code -o json', { files: manifest });
  expect(differs.code).toBe(3);
  expect(differs.stderr).not.toContain('"error"');
});

test('refused charges leave only the error', async () => {
  const world = await openWorld();
  const run = await world.telctl('limits set --twoway-trunks 40 -o json');
  expect(run.code).toBe(7);
  expect(parseError(run)).toMatchObject({ kind: 'charges', details: { limits: expect.anything() } });
});
