import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../src/base/json.ts';
import { resourceByName } from '../../../src/contract/catalogue.ts';
import { allCommands } from '../../support/command-lines.ts';
import { genericCollections } from '../../support/generic-collections.ts';
import { recordBodies } from '../../support/record-bodies.ts';
import { isSignIn, openWorld, type Run } from '../../support/world.ts';

// A compatible service may ignore filters. telctl must still change only the matching records.

const writes = ({ requests }: Run) =>
  requests.filter((request) => request.method !== 'GET' && !isSignIn(request));

/** The collections that share the code for bulk changes, with the words of the command. */
const changedAlike = genericCollections.flatMap((name) => {
  const command = allCommands.find(({ path, shows }) => shows === name && path.at(-1) === 'patch');
  return command ? [[command.path.join(' '), name] as const] : [];
});

/** Creates two records of a collection that differ in the filtered field. */
async function createTwo(name: (typeof genericCollections)[number]) {
  const world = await openWorld();
  const bodies = fc.sample(recordBodies(resourceByName(name)), { numRuns: 2, seed: 7 });
  const ids: string[] = [];
  for (const [index, body] of bodies.entries())
    ids.push(String((await world.service('PUT', name, { ...body, zz_mark: `m${index}` })).id));
  return { world, ids };
}

describe('a service that ignores filters', () => {
  test.each(changedAlike)('%s --all changes only matching records', async (words, name) => {
    const { world, ids } = await createTwo(name);
    const [first = ''] = ids;
    const readCollection = async () => {
      const token = await world.sandbox.adminToken();
      return (await world.sandbox.call('GET', `/v2/accounts/${world.seed.accountId}/${name}`, { token }))
        .text;
    };
    const text = await readCollection();
    const faults = [
      { method: 'GET', path: new RegExp(`/${name}$`), fault: { kind: 'rewrite', change: () => text } },
    ] as const;
    const run = await world.telctl(
      `${words} --all --filter zz_mark=m0 --allow-unknown-fields --set zz_seen=yes --yes`,
      { faults },
    );
    expect(run.code, run.stderr).toBe(0);
    expect(writes(run).map(({ path }) => path.split('/').at(-1))).toEqual([first]);
  });

  test('a name that two records have selects neither', async () => {
    for (const verb of ['get NAME', 'delete NAME --yes --force', 'patch NAME --set-json retries=4']) {
      const world = await openWorld();
      for (const name of ['Main', 'Main', 'Other']) await world.service('PUT', 'menus', { name });
      const run = await world.telctl(`menus ${verb.replace('NAME', 'Main')}`);
      expect([run.code, writes(run)], run.stderr).toEqual([6, []]);
      expect(run.stderr).toContain('by its id');
    }
  });

  test('a list with other records than requested selects none', async () => {
    const world = await openWorld();
    const { id } = await world.service('PUT', 'menus', { name: 'Other' });
    const body = JSON.stringify({ status: 'success', data: [{ id, name: 'Other' }] });
    const faults = [
      { method: 'GET', path: /\/menus$/, fault: { kind: 'answer', status: 200, body } },
    ] as const;
    const run = await world.telctl('menus delete Main --yes --force', { faults });
    expect([run.code, writes(run)], run.stderr).toEqual([5, []]);
  });
});

describe('a service with wrong data after a lost reply', () => {
  test.each([
    ['nothing', () => []],
    ['another one', (made: JsonObject) => [{ ...made, name: 'Else' }]],
    ['two of them', (made: JsonObject) => [made, { ...made, id: 'f'.repeat(32) }]],
  ] as const)('and shows %s is not recorded as having created the object', async (_, lie) => {
    const world = await openWorld();
    const [method, path] = ['PUT', /\/menus$/];
    const ignoreFilter = (text: string): string => {
      const reply: unknown = JSON.parse(text);
      if (!isObject(Object(reply))) return text;
      const [made] = Object(reply).data;
      return JSON.stringify({ ...Object(reply), data: made ? lie(made) : [] });
    };
    const run = await world.telctl('menus create --name Main', {
      faults: [
        { method, path, fault: { kind: 'lose-reply' }, times: 1 },
        { method: 'GET', path, fault: { kind: 'rewrite', change: ignoreFilter } },
      ],
    });
    expect(run.code, run.stderr).not.toBe(0);
    expect(writes(run).length).toBe(1);
  });
});
