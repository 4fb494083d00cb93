import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openWorld } from '../../test/support/world.ts';
import type { Json } from '../base/json.ts';
import { compareWrite } from './write-effect.ts';

/** What a service does with a field that it is sent, or with one that stands beside it. */
const deeds = ['takes', 'drops', 'fills in', 'lower case', 'other'] as const;

const field = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  old: fc.option(fc.constantFrom('one', 'Two', 3)),
  sent: fc.option(fc.constantFrom('One', 'Two', 4, true)),
  deed: fc.constantFrom(...deeds),
  isKept: fc.boolean(),
});

test('reports exactly the fields that the service ignored, changed or lost', () => {
  const fields = fc.uniqueArray(field, { selector: ({ name }) => name, maxLength: 5 });
  fc.assert(
    fc.property(fields, (all) => {
      const before: Record<string, Json> = {};
      const sent: Record<string, Json> = { z: 1 };
      const after: Record<string, Json> = { z: 1, made: 'by the service' };
      const untaken: string[] = [];
      const altered: string[] = [];
      const lost: string[] = [];
      for (const { name, old, sent: want, deed, isKept } of all) {
        if (old !== null) before[name] = old;
        if (want === null) {
          if (old !== null && isKept) after[name] = old;
          else if (old !== null) lost.push(`custom_data.${name}`);
          continue;
        }
        sent[name] = want;
        const taken = deed === 'lower case' ? String(want).toLowerCase() : deed === 'other' ? 'else' : want;
        if (deed === 'other') altered.push(`custom_data.${name}`);
        if (deed !== 'drops') after[name] = taken;
        else if (old !== null) after[name] = old;
        const isSame = String(old).toLowerCase() === String(want).toLowerCase();
        if (deed === 'drops' && old !== null && !isSame) untaken.push(`custom_data.${name}`);
      }
      const found = compareWrite(
        { type: 'object' },
        {
          by: 'patch',
          before: { custom_data: before },
          sent: { custom_data: sent },
          after: { custom_data: after, name: 'filled in' },
        },
      );
      const { untaken: not = [], altered: other = [], lost: gone = [] } = found;
      expect([not, other, gone].map((paths) => paths.toSorted())).toEqual(
        [untaken, altered, lost].map((paths) => paths.toSorted()),
      );
    }),
  );
});

test('treats a list item that the service completed as accepted', () => {
  const flow = { module: 'transfer', data: {} };
  const completed = { ...flow, data: { transfer_type: 'blind', captures: '1' } };
  const write = { by: 'patch', before: { numbers: {} }, sent: { numbers: { 2: flow } } };
  expect(compareWrite({ type: 'object' }, { ...write, after: { numbers: { 2: completed } } })).toEqual({});
});

test('the command, apply and the log report ignored and lost fields', async () => {
  const world = await openWorld();
  const { id } = await world.service('PUT', 'devices', {
    name: 'Desk',
    sip: { username: 'desk', password: 'first-sign-in' },
  });
  const answers = (change: (data: Record<string, Json>) => unknown) => [
    {
      method: 'PATCH',
      path: /devices/,
      fault: {
        kind: 'rewrite',
        change: (body: string) => {
          const reply = JSON.parse(body);
          change(reply.data);
          return JSON.stringify(reply);
        },
      } as const,
    },
  ];
  const keeping = (name: string) =>
    answers((data) => {
      data.name = name;
      data.sip = { password: 'first-sign-in' };
    });
  const line = ['devices', 'patch', String(id), '--name', 'Hall', '--set', 'sip.realm=a.example'];
  const patched = await world.telctl(line, { faults: keeping('Desk') });
  expect(patched.code, patched.stderr).toBe(0);
  expect(patched.stderr).toContain('device Desk: name ignored by the service');
  expect(patched.stderr).toContain('device Desk: the service also dropped sip.username, ');
  const shown = await world.telctl('log show 1');
  expect(shown.stdout).toContain('name  ignored by the service');
  expect(shown.stdout).not.toContain('Desk → Hall');
  const files = {
    'm.yaml': `devices:\n  desk: { id: ${String(id)}, name: Porch, sip: { realm: b.example } }\n`,
  };
  const applied = await world.telctl('apply -f m.yaml --yes', { files, faults: keeping('Hall') });
  expect(applied.stderr, applied.stdout).toMatch(/device \S+: name ignored by the service/);
  expect(applied.stderr).toContain('the service also dropped sip.username, ');
});

test('every create command names each field that the service omitted or changed', async () => {
  const world = await openWorld();
  const fault = {
    kind: 'rewrite',
    change: (body: string) => {
      const reply = JSON.parse(body);
      const { timezone: _, ...data } = reply.data;
      return JSON.stringify({
        ...reply,
        data: { ...data, last_name: 'Else', caller_id: { internal: { name: 'A' } } },
      });
    },
  } as const;
  const faults = [{ method: 'PUT', path: /users$/, fault }];
  const caller = { internal: { name: 'A', number: '2001' } };
  const user = (username: string) => ({
    ...{ username, first_name: 'A', last_name: 'Archer', password: 'secret-1' },
    ...{
      timezone: 'Europe/Zurich',
      caller_id: caller,
      enabled: true,
      email: `${username.toUpperCase()}@a.example`,
    },
  });
  const files = {
    'one.json': JSON.stringify(user('one')),
    'more.json': JSON.stringify([user('two'), user('three')]),
    'm.json': JSON.stringify({ users: { four: user('four') } }),
  };
  const lines = [
    ['users create -f one.json', ['one']],
    ['users create -f more.json', ['two', 'three']],
    ['apply -f m.json --yes', ['four']],
  ] as const;
  for (const [line, names] of lines) {
    const run = await world.telctl(line, { files, faults });
    expect(run.code, run.stderr).toBe(0);
    const warned = run.stderr.split('\n').filter((each) => each.includes('service'));
    expect(warned.toSorted()).toEqual(
      names
        .flatMap((name) => [
          `warning: user ${name}: last_name stored by the service in another form`,
          `warning: user ${name}: timezone, caller_id.internal.number ignored by the service`,
        ])
        .toSorted(),
    );
  }
  const whole = await world.telctl(['users', 'create', '-f', 'one.json', '--set', 'username=five'], {
    files,
  });
  expect([whole.code, whole.stderr]).toEqual([0, expect.not.stringContaining('warning')]);
});
