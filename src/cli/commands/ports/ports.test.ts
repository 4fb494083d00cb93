import { expect, test } from 'vitest';
import { openWorld, type World } from '../../../../test/support/world.ts';

const authority = ({ url, seed }: World) => ({
  TELCTL_BASE_URL: url,
  TELCTL_USERNAME: 'super',
  TELCTL_PASSWORD: seed.superPassword,
  TELCTL_ACCOUNT_NAME: 'platform',
  TELCTL_ACCOUNT: seed.accountId,
});

async function withRequest(): Promise<World> {
  const world = await openWorld();
  const stdin = JSON.stringify({ name: 'Main', numbers: { '+14155550100': {} } });
  const made = await world.telctl('ports create -f -', { stdin });
  expect(made.code, made.stderr).toBe(0);
  return world;
}

test('moves a request through its states, and lists them in the timeline', async () => {
  const world = await withRequest();
  const env = authority(world);
  const moves = [
    ['submit', {}, 'Submitted port Main (submitted).'],
    ['pend', { env }, 'Started work on port Main (pending).'],
    ['schedule', { env }, 'Scheduled port Main (scheduled).'],
    ['complete', { env }, 'Completed port Main (completed).'],
  ] as const;
  for (const [verb, options, sentence] of moves) {
    const words = verb === 'schedule' ? ['--date', '2030-01-31T09:00Z'] : ['--reason', 'As agreed'];
    const run = await world.telctl(['ports', verb, 'Main', ...words], options);
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain(sentence);
  }
  const run = await world.telctl('ports timeline Main -o json');
  expect(run.code, run.stderr).toBe(0);
  const entries: { transition?: { new: string }; reason?: string }[] = JSON.parse(run.stdout);
  expect(entries.flatMap(({ transition }) => transition?.new ?? [])).toEqual(
    expect.arrayContaining(['submitted', 'pending', 'scheduled', 'completed']),
  );
  expect(entries.some(({ reason }) => reason === 'As agreed')).toBe(true);
});

test('rejects a transition that the state does not allow, or that requires the authority', async () => {
  const world = await withRequest();
  const wrong = await world.telctl('ports pend Main', { env: authority(world) });
  expect(wrong.code).toBe(10);
  await world.telctl('ports submit Main');
  const { othersMoves } = world.behaviour.ports;
  expect((await world.telctl('ports pend Main')).code).toBe(othersMoves === 'forbidden' ? 4 : 10);
});

test('hides canceled requests by default, and finds them by name', async () => {
  const world = await withRequest();
  expect((await world.telctl('ports list -o name')).stdout).toBe('Main\n');
  expect((await world.telctl('ports cancel Main --reason Changed')).code).toBe(0);
  expect((await world.telctl('ports list -o name')).stdout).toBe('');
  expect((await world.telctl('ports list --by-types all -o name')).stdout).toBe('Main\n');
  const shown = await world.telctl('ports get Main -o json');
  expect(JSON.parse(shown.stdout)).toMatchObject({ name: 'Main', port_state: 'canceled' });
});

test('sends a local time with its time zone, and rejects other dates before any request', async () => {
  const world = await withRequest();
  const line = ['ports', 'schedule', 'Main', '--date', '2030-01-31 09:00'];
  const local = await world.telctl([...line, '--timezone', 'America/New_York', '--dry-run', '-o', 'json']);
  expect(JSON.parse(local.stdout).requests[0].body.data).toEqual({
    schedule_on: { timezone: 'America/New_York', date_time: '2030-01-31 09:00' },
  });
  const moment = await world.telctl('ports schedule Main --date 2030-01-31T09:00Z --dry-run -o json');
  expect(JSON.parse(moment.stdout).requests[0].body.data).toEqual({ scheduled_date: 64_063_299_600 });
  const neither = await world.telctl(line);
  expect([neither.code, neither.stderr, neither.requests]).toEqual([
    2,
    expect.stringContaining('--timezone'),
    [],
  ]);
});

test('adds a comment, and asks for missing text', async () => {
  const world = await withRequest();
  const run = await world.telctl(['ports', 'comments', 'add', 'Main', '--content', 'Bill attached']);
  expect(run.code, run.stderr).toBe(0);
  expect((await world.telctl('ports get Main -o json')).stdout).toContain('Bill attached');
  expect((await world.telctl('ports comments add Main')).code).toBe(2);
});

test('reads a timeline from an array or from the request', async () => {
  const world = await withRequest();
  const shown = async (data: unknown) => {
    const body = JSON.stringify({ status: 'success', data });
    const rule = { method: 'GET', path: /timeline/, fault: { kind: 'rewrite', change: () => body } } as const;
    return world.telctl('ports timeline Main -o json', { faults: [rule] });
  };
  expect(JSON.parse((await shown([{ type: 'transition' }])).stdout)).toEqual([{ type: 'transition' }]);
  expect(JSON.parse((await shown({ name: 'Main' })).stdout)).toEqual({ name: 'Main' });
});

test('submits several port requests with one report', async () => {
  const world = await openWorld();
  for (const [name, number] of [
    ['North', '+15551230011'],
    ['South', '+15551230012'],
  ])
    await world.service('PUT', 'port_requests', { name, numbers: { [number ?? '']: {} } });
  const run = await world.telctl('ports submit North South North -o json');
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout)).toHaveLength(2);
  const missing = await world.telctl('ports submit North Nowhere');
  expect(missing.code).toBe(5);
  expect(missing.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('completes a request with documents and puts its numbers in service', async () => {
  const world = await withRequest();
  const env = authority(world);
  const files = { 'form.pdf': '%PDF-1.4 signed letter', 'bill.pdf': '%PDF-1.4 bill', 'notes.txt': 'none' };
  const done = async (line: string, options = {}) => {
    const run = await world.telctl(line, { files, ...options });
    expect(run.code, `${line}: ${run.stderr}`).toBe(0);
    return run;
  };
  expect((await done('ports documents add Main form.pdf')).stderr).toContain(
    'Added document form.pdf of port Main',
  );
  await done('ports documents add Main bill.pdf --name old-bill.pdf');
  expect((await world.telctl('ports documents add Main form.pdf', { files })).code).toBe(6);
  expect((await done('ports documents add Main form.pdf --force')).stderr).toContain(
    'Replaced document form.pdf',
  );
  expect((await world.telctl('ports documents add Main notes.txt', { files })).code).toBe(10);
  await done('ports documents delete Main old-bill.pdf --yes');
  expect((await world.telctl('ports documents get Main old-bill.pdf x.pdf')).code).toBe(5);
  const list = await done('ports documents list Main -o json');
  expect(JSON.parse(list.stdout)).toEqual([
    { name: 'form.pdf', content_type: 'application/pdf', length: files['form.pdf'].length },
  ]);
  await done('ports submit Main');
  const waiting = await done('api GET /v2/accounts/{account_id}/port_requests/last_submitted -o json');
  expect(waiting.stdout).toContain('"new": "submitted"');

  await done('ports pend Main', { env });
  await done('ports documents get Main form.pdf letter.pdf', { env });
  expect((await done('ports documents get Main form.pdf -', { env })).stdout).toBe(files['form.pdf']);
  const words = ['ports', 'comments', 'add', 'Main', '--content', 'Letter is fine'];
  const comment = await world.telctl(words, { env });
  expect(comment.code, comment.stderr).toBe(0);
  const comments = await done('ports comments list Main -o json');
  expect(JSON.parse(comments.stdout)).toMatchObject([{ content: 'Letter is fine' }]);
  const local = ['--date', '2030-01-31 09:00', '--timezone', 'America/New_York'];
  expect((await world.telctl(['ports', 'schedule', 'Main', ...local], { env })).code).toBe(0);
  await done('ports complete Main', { env });
  const number = await done('numbers get +14155550100 -o json');
  expect(JSON.parse(number.stdout).state).toBe('in_service');
});

test('warns about a transfer date in the past, and rejects a skipped local time', async () => {
  const world = await openWorld();
  await world.service('PUT', 'port_requests', { name: 'Main', numbers: { '+14155550100': {} } });
  const schedule = (...words: readonly string[]) =>
    world.telctl(['ports', 'schedule', 'Main', '--dry-run', '--date', ...words]);
  expect((await schedule('2020-01-01')).stderr).toContain('--date 2020-01-01 is in the past.');
  expect((await schedule('2030-01-01')).stderr).not.toContain('in the past');
  const zone = ['--timezone', 'America/New_York'];
  expect((await schedule('2020-01-01 09:00', ...zone)).stderr).toContain('is in the past');
  const skipped = await schedule('2030-03-10 02:30', ...zone);
  expect([skipped.code, skipped.stderr]).toEqual([
    2,
    expect.stringContaining('does not exist in America/New_York'),
  ]);
  const nowhere = await schedule('2030-03-10 09:00', '--timezone', 'America/New York');
  expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('there is no time zone')]);
});
