import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

test('creates a task from a file, starts and follows it, and downloads its files', async () => {
  const world = await openWorld();
  const { telctl } = world;
  const files = { 'numbers.csv': 'e164\n+15559990000\n' };
  const made = await telctl('tasks create number_management find numbers.csv -o json', { files });
  expect(made.code, made.stderr).toBe(0);
  const { id } = JSON.parse(made.stdout)._read_only;
  const early = await telctl(`tasks follow ${id}`);
  expect([early.code, early.stderr]).toEqual([6, expect.stringContaining('was not started')]);
  expect(await telctl(`tasks start ${id}`)).toMatchObject({ code: 0 });
  const running = await telctl(`tasks download ${id} -`);
  expect(running.code).toBe(5);
  world.clock.turn(3000);
  const ended = await telctl(`tasks follow ${id} -o json`);
  expect([ended.code, JSON.parse(ended.stdout)]).toEqual([
    8,
    expect.objectContaining({ status: 'failure', total_count: 1, failure_count: 1 }),
  ]);
  const out = await telctl(`tasks download ${id} out.csv`);
  expect(out.code, out.stderr).toBe(0);
  expect(readFileSync(join(world.folders.cwd, 'out.csv'), 'utf8')).toMatch(/not_found\n$/);
  expect((await telctl(`tasks download ${id} - --csv in`)).stdout).toBe('e164\n+15559990000\n');
  const again = await telctl(`tasks start ${id}`);
  expect(again.code).toBe(5);
  expect(await telctl(`tasks delete ${id} --yes`)).toMatchObject({ code: 0 });
  expect(JSON.parse((await telctl('tasks list -o json')).stdout)).toEqual([]);
});

test('creates a task without rows, rejects wrong columns, and lists actions', async () => {
  const world = await openWorld();
  const { telctl } = world;
  const { stdout } = await telctl('tasks create number_management list -o json');
  const { id } = JSON.parse(stdout)._read_only;
  await telctl(`tasks start ${id}`);
  const stopped = await telctl(`tasks stop ${id} -o json`);
  expect(JSON.parse(stopped.stdout)._read_only).toMatchObject({ status: 'stopped' });
  const files = { 'n.csv': 'number\n1\n' };
  const wrong = await telctl('tasks create number_management find n.csv', { files });
  expect(wrong.code, wrong.stderr).toBe(10);
  expect((await telctl('tasks actions')).stdout).toMatch(/number_management +find +e164/);
});
