import { expect, test } from 'vitest';
import { openCallWorld } from '../../../../test/support/call-world.ts';
import { openWorld } from '../../../../test/support/world.ts';

test('adds, lists and removes entries, and asks before deleting a list in use', async () => {
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

test('routes simulated calls by the lists of the account', async () => {
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
  expect(await call('+14441230009')).toContain('"key":"match"');
  expect(await call('+13331230009')).toContain('"key":"nomatch"');
});

test('imports each row of a file once, and rejects contradictions before any request', async () => {
  const world = await openWorld();
  await world.telctl('lists create --name Regulars');
  const files = (rows: string) => ({ files: { 'callers.csv': `number,name\n${rows}` } });
  const run = (rows: string, more = '') =>
    world.telctl(`lists entries import Regulars callers.csv${more}`, files(rows));
  const first = await run('+1555123,Carla\n1444,Diaz\n1444,Diaz\n');
  expect(first.code, first.stderr).toBe(0);
  expect(first.stderr).toContain('Added 2 entries to list Regulars.');
  const again = await run('1555123,Carla B\n1333,Eve\n');
  expect(again.stderr).toContain('Added 1 entry to list Regulars, 1 there already.');
  const changed = await run('1555123,Carla B\n1333,Eve\n', ' --existing update');
  expect(changed.stderr).toContain('Added 0 entries to list Regulars, changed 1, 1 there already.');
  const { stdout } = await world.telctl('lists entries list Regulars -o json');
  expect(
    JSON.parse(stdout).map(({ number, name }: { number: string; name: string }) => [number, name]),
  ).toEqual(
    expect.arrayContaining([
      ['1555123', 'Carla B'],
      ['1444', 'Diaz'],
      ['1333', 'Eve'],
    ]),
  );
  const wrong = await run('1222,Fay\n1222,Gus\n,Nobody\n');
  expect(wrong.code).toBe(10);
  expect(wrong.stderr).toContain('which is about the same callers');
  expect(wrong.stderr).toContain('has neither number, prefix, pattern nor regexp');
  expect(wrong.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('an import with lost responses creates each entry once', async () => {
  const world = await openWorld();
  await world.telctl('lists create --name Regulars');
  const files = { 'callers.csv': 'number,name\n1555,Carla\n1444,Diaz\n' };
  const faults = [{ fault: { kind: 'lose-reply' }, method: 'PUT', path: /\/entries$/ }] as const;
  const run = await world.telctl('lists entries import Regulars callers.csv', { files, faults });
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse((await world.telctl('lists entries list Regulars -o json')).stdout)).toHaveLength(2);
});

test('reads records of any collection from CSV, and locates invalid headings and cells', async () => {
  const world = await openWorld();
  const run = (csv: string) => world.telctl('menus create -f menus.csv', { files: { 'menus.csv': csv } });
  const made = await run('Name,retries,hunt\nMain,3,true\n"Night, late",2,\n');
  expect(made.code, made.stderr).toBe(0);
  const { stdout } = await world.telctl('menus list -o csv --fields name,retries');
  expect(stdout).toContain('"Night, late",2');
  const title = await run('name,retires\nMain,3\n');
  expect(title.code).toBe(10);
  expect(title.stderr).toContain(
    'menus.csv:1 (retires): no field is called "retires"; did you mean "retries"?\n',
  );
  const cell = await run('name,retries\nDay,many\n');
  expect(cell.stderr).toContain('menus.csv:2 (retries)');
  expect(cell.code).toBe(10);
});
