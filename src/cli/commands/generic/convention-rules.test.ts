import { expect, it } from 'vitest';
import { processorMs } from '../../../../test/support/clock.ts';
import { handlerBench } from '../../../../test/support/command-run.ts';
import { failureOf } from '../../../../test/support/failure-of.ts';
import { menus } from '../../../contract/resources/menus.ts';
import { users } from '../../../contract/resources/users.ts';
import { genericCommands } from './commands.ts';

const bench = () =>
  handlerBench([...genericCommands(users, ['users']), ...genericCommands(menus, ['menus'])]);
const menu = 'name: Main\nhunt_allow: "["\nretries: 99\n';

it('warns about values that only compatible services reject, and sends them', async () => {
  const { run, last } = await bench();
  await failureOf(run(['menus', 'create', '-f', 'menu.yaml'], { files: { 'menu.yaml': menu } }));
  expect(last().said).toEqual([
    'warning: menu.yaml:3:10: "retries" must be at most 10; a KAZOO-compatible service would refuse the request',
  ]);
  expect(last().requests.filter(({ method }) => method === 'PUT')).toHaveLength(1);
});

it('--strict-input fails on a conventions warning before any request, with file, line and column', async () => {
  const { run, last } = await bench();
  const failure = await failureOf(
    run(['menus', 'create', '-f', 'menu.yaml', '--strict-input'], { files: { 'menu.yaml': menu } }),
  );
  expect(failure.kind).toBe('invalid');
  expect(failure.lines).toEqual([
    'menu.yaml:3:10: "retries" must be at most 10',
    'Nothing was sent. 1 problem in 1 file.',
  ]);
  expect(last().requests).toEqual([]);
});

it('requires fields of compatible services on create, but not on patch', async () => {
  const { run } = await bench();
  const create = ['users', 'create', '--username', 'bob', '--strict-input'];
  const failure = await failureOf(run(create));
  expect(failure.message).toMatch(/"first_name" is missing/);
  const { said } = await run(['users', 'patch', 'admin', '--timezone', 'Europe/Zurich', '--strict-input']);
  expect(said).toEqual([]);
});

it('accepts null in a patch to remove a field', async () => {
  const { run } = await bench();
  const { said } = await run(['users', 'patch', 'admin', '--set-json', 'caller_id=null', '--strict-input']);
  expect(said).toEqual([]);
});

it('counts omitted warnings, and handles thousands of records quickly', async () => {
  const { run, last } = await bench();
  const many = Array.from({ length: 2000 }, (_, index) => ({ name: `m${index}`, retries: 11 }));
  const started = processorMs();
  const failure = await failureOf(
    run(['menus', 'create', '-f', '-', '--strict-input'], { stdin: JSON.stringify(many) }),
  );
  expect(processorMs() - started).toBeLessThan(3000);
  expect(failure.message).toMatch(/and 1999 more like it\) Nothing was sent\. 2000 problems/);
  await run(['menus', 'create', '-f', '-', '--dry-run'], { stdin: JSON.stringify(many) });
  expect(last().said).toHaveLength(21);
  expect(last().said.at(-1)).toBe('warning: … and 1980 more of this kind');
});
