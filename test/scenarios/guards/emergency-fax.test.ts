import { expect, test } from 'vitest';
import { openWorld } from '../../support/world.ts';

const document = '--document https://files.example/a.pdf';

test.each([
  `faxes create --from-number +15551230000 --to-number 911 ${document}`,
  `faxes create --from-number +15551230000 --to-number 9-1-1 ${document} --yes`,
  'faxes create -f faxes.csv',
  'api PUT /v2/accounts/{account_id}/faxes --field from_number=+15551230000 --field to_number=911',
])('refuses a fax to an emergency number: %s', async (line) => {
  const { telctl } = await openWorld();
  const csv = 'from_number,to_number,document.url\n+15551230000,911,https://files.example/a.pdf\n';
  const run = await telctl(line, { files: { 'faxes.csv': csv } });
  expect(run.stderr).toContain('911 is an emergency number and cannot receive a fax.');
  expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(run.code).toBe(9);
});

test('refuses a fax to an emergency number of the country of the account, and sends others', async () => {
  const { telctl, service, seed } = await openWorld();
  const send = (number: string) =>
    telctl(`faxes create --from-number +15551230000 --to-number ${number} ${document}`);
  expect((await send('110')).stderr).not.toContain('emergency');
  await service('PATCH', `../${seed.accountId}`, { caller_id: { external: { number: '+493012345678' } } });
  expect((await send('110')).stderr).toContain('110 is an emergency number and cannot receive a fax.');
  expect((await send('+15551239999')).code).toBe(0);
});
