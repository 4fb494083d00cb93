import { expect, test } from 'vitest';
import { openCallWorld } from '../../../test/support/call-world.ts';
import { openWorld } from '../../../test/support/world.ts';

test('entries are added, listed and removed, and a list that a callflow names is not deleted unasked', async () => {
  const world = await openWorld();
  const run = async (line: string, stdin = '') => {
    const done = await world.telctl(line, { stdin });
    expect(done.code, `${line}: ${done.stderr}`).toBe(0);
    return done.stdout;
  };
  const { id } = JSON.parse(await run('lists create --name Regulars -o json'));
  await run('lists entries add Regulars --number +1555123 --name Carla');
  await run('lists entries add Regulars --pattern ^\\+1444 --name Diaz');
  expect(JSON.parse(await run('lists entries list Regulars -o json'))).toMatchObject([
    { number: '1555123', name: 'Carla' },
    { pattern: '^\\+1444', name: 'Diaz' },
  ]);
  const flow = { module: 'lookupcidname', data: { lists: [id] }, children: {} };
  await run('callflows create -f -', JSON.stringify({ name: 'All', numbers: ['100'], flow }));
  const guarded = await world.telctl('lists delete Regulars --yes');
  expect(guarded.code, guarded.stderr).toBe(9);
  const [{ id: first }] = JSON.parse(await run('lists entries list Regulars -o json'));
  await run(`lists entries remove Regulars ${first} --yes`);
  await run('lists entries clear Regulars --yes');
  expect(await run('lists entries list Regulars -o json')).toBe('[]\n');
});

test('simulated calls are told apart by the lists of the account', async () => {
  const world = await openCallWorld();
  const id = await world.make('lists', { name: 'Regulars' });
  await world.make(`lists/${id}/entries`, { number: '1555123', name: 'Carla' });
  await world.make(`lists/${id}/entries`, { pattern: '^\\+1444' });
  const answer = (code: number) => ({ module: 'response', data: { code }, children: {} });
  const children = { match: answer(486), nomatch: answer(603) };
  const match = { module: 'cidlistmatch', data: { id }, children };
  const flow = { module: 'lookupcidname', data: { lists: [id] }, children: { _: match } };
  await world.make('callflows', { name: 'All', numbers: ['100'], flow });
  const call = async (from: string) => JSON.stringify(await world.simulate('call', { from, to: '100' }));
  expect(await call('+15551230009')).toContain('Carla');
  expect(await call('+14441230009')).toContain('+14441230009 is on the list');
  expect(await call('+13331230009')).toContain('+13331230009 is not on the list');
});
