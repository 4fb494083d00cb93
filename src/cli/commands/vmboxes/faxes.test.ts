import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

test('sends a fax, lists it while queued, and finds it in the outbox afterwards', async () => {
  const world = await openWorld();
  const stdin = 'document: { url: "https://files.example/a.pdf" }';
  const line = ['faxes', 'create', '--from-number', '+14155550100', '--to-number', '+14155550101', '-f', '-'];
  const made = await world.telctl([...line, '-o', 'json'], { stdin });
  expect(made.code, made.stderr).toBe(0);
  const { id } = JSON.parse(made.stdout);
  expect((await world.telctl('faxes list -o name')).stdout).toBe(`${id}\n`);
  world.clock.turn(3_600_000);
  const sent = await world.telctl('faxes outbox list -o json');
  expect(sent.code, sent.stderr).toBe(0);
  const [done] = JSON.parse(sent.stdout);
  const shown = await world.telctl(['faxes', 'outbox', 'get', done.id, '-o', 'json']);
  expect(shown.code, shown.stderr).toBe(0);
  const again = await world.telctl(['faxes', 'outbox', 'resubmit', done.id]);
  expect(again.code, again.stderr).toBe(0);
  const gone = await world.telctl(['faxes', 'outbox', 'delete', done.id, '--yes']);
  expect(gone.code, gone.stderr).toBe(0);
  expect((await world.telctl('faxes inbox list -o json')).stdout).toBe('[]\n');
});

test('filters the outbox by time range', async () => {
  const world = await openWorld();
  const stdin = 'document: { url: "https://files.example/a.pdf" }';
  const line = ['faxes', 'create', '--from-number', '+14155550100', '--to-number', '+14155550101', '-f', '-'];
  await world.telctl(line, { stdin });
  world.clock.turn(3_600_000);
  expect((await world.telctl('faxes outbox list -o name')).stdout).not.toBe('');
  expect((await world.telctl('faxes outbox list --created-to 63800000000 -o name')).stdout).toBe('');
});

test('patching a fax box keeps other fields, even if the service writes defaults', async () => {
  const world = await openWorld({ like: 'kazoo' });
  const made = await world.telctl('faxboxes create --name Front --caller-name Acme --retries 3');
  expect(made.code, made.stderr).toBe(0);
  const changed = await world.telctl('faxboxes patch Front --fax-header Acme --set-json retries=null');
  expect(changed.code, changed.stderr).toBe(0);
  const { stdout } = await world.telctl('faxboxes get Front -o json');
  expect(JSON.parse(stdout)).toMatchObject({
    name: 'Front',
    caller_name: 'Acme',
    fax_header: 'Acme',
    retries: 1,
  });
});
