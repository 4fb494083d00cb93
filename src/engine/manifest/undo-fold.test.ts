import { expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import type { StartLine } from '../state/log.ts';
import type { RunStep } from '../state/runs.ts';
import { foldPart } from './undo-fold.ts';

const start: StartLine = {
  line: 'start',
  version: 2,
  run: '1',
  what: 'command',
  atMs: 1,
  pid: 1,
  account: { id: 'a', name: 'acme', origin: 'https://api.example' },
  part: 1,
  parts: 1,
  user: 'admin',
  set: '',
  salt: 'ab',
  inputs: [],
  options: {},
  steps: [],
};

const step = (action: string, id: string, before?: JsonObject, kind = 'users', ok = true): RunStep => {
  const key = `${kind}.${id}`;
  return {
    planned: { key, kind, action, label: `user ${id}` },
    begin: { line: 'begin', key, action, id, ...(before === undefined ? {} : { before }) },
    end: { line: 'end', key, ok, id },
  };
};

const folded = (...steps: readonly RunStep[]) => {
  const { part, final } = foldPart({ start, steps, finish: undefined });
  return [
    part.steps.map(({ planned: { action }, begin }) => ({ action, before: begin?.before })),
    final.map(({ label }) => label),
  ];
};

test('merges several changes of an object into one, with the original values', () => {
  const first = step('update', 'ann', { timezone: null, profile: { title: 'A' } });
  const second = step('update', 'ann', {
    timezone: 'UTC',
    email: 'a@b.example',
    profile: { title: 'B', role: 'C' },
  });
  expect(folded(first, second)).toEqual([
    [
      {
        action: 'update',
        before: { timezone: null, email: 'a@b.example', profile: { title: 'A', role: 'C' } },
      },
    ],
    [],
  ]);
});

test('a delete after a change restores the record as it was before both', () => {
  const gone = step('delete', 'ann', { username: 'ann', timezone: 'UTC' });
  expect(folded(step('update', 'ann', { timezone: null }), gone)).toEqual([
    [{ action: 'delete', before: { username: 'ann' } }],
    [],
  ]);
});

test('merges create and change into a create, and drops create and delete', () => {
  expect(folded(step('create', 'ann'), step('update', 'ann', { timezone: null }))).toEqual([
    [{ action: 'create', before: { timezone: null } }],
    [],
  ]);
  expect(folded(step('create', 'ann'), step('delete', 'ann', { username: 'ann' }))).toEqual([[], []]);
});

test('ignores failed steps, and reports steps without a record as not reversible', () => {
  expect(
    folded(step('update', 'ann', {}, 'users', false), step('reset-user-secret', 'ann', {}, 'tokens')),
  ).toEqual([[], ['user ann']]);
});

test('distinguishes objects with the same id by kind, and leaves an apply unchanged', () => {
  const both = [step('update', 'a', { x: 1 }), step('update', 'a', { y: 1 }, 'menus')];
  expect(folded(...both)[0]).toHaveLength(2);
  const applied = { start: { ...start, what: 'apply' as const }, steps: both, finish: undefined };
  expect(foldPart(applied).part).toEqual(applied);
});
