import { expect, test } from 'vitest';
import { openWorld } from '../../../test/support/world.ts';

test('a template is read, customised by fields and files, previewed, and given back', async () => {
  const world = await openWorld();
  const files = { 'new.html': '<p>Hello {{user.first_name}} of {{account.name}}</p>', 'new.txt': 'Hello' };
  const run = async (line: string) => {
    const done = await world.telctl(line, { files });
    expect(done.code, done.stderr).toBe(0);
    return done.stdout;
  };
  expect(await run('notifications list -o name')).toContain('voicemail_to_email');
  expect(await run('notifications text new_user --html')).toContain('<p>New user');
  const dry = JSON.parse(await run('notifications customise new_user --html new.html --dry-run -o json'));
  expect(dry.requests.map(({ method }: { readonly method: string }) => method)).toEqual(['PUT', 'POST']);
  await run('notifications customise new_user --subject Welcome,{{user.first_name}} --html new.html');
  const own = JSON.parse(await run('notifications get new_user -o json'));
  expect(own).toMatchObject({ account_overridden: true, subject: 'Welcome,{{user.first_name}}' });
  expect(await run('notifications text new_user --html')).toBe(`${files['new.html']}\n`);
  expect(await run('notifications text new_user')).toContain('New user');
  await run('notifications customise new_user --enabled false --text new.txt');
  expect(JSON.parse(await run('notifications get new_user -o json'))).toMatchObject({
    ...{ enabled: false, subject: 'Welcome,{{user.first_name}}' },
    templates: { 'text/plain': { length: 5 } },
  });
  await run('notifications preview new_user --to ann@acme.example');
  const [mail] = JSON.parse(await run('notifications mails list -o json'));
  expect(mail).toMatchObject({ to: 'ann@acme.example', template_id: 'new_user' });
  const whole = JSON.parse(await run(`notifications mails get ${mail.id} -o json`));
  expect(whole.rendered_templates['text/html']).toContain(' of acme</p>');
  await run('notifications restore new_user --yes');
  expect(await run('notifications text new_user --html')).toContain('<p>New user');
  expect(await world.telctl('notifications restore new_user --yes')).toMatchObject({ code: 5 });
  expect(await world.telctl('notifications customise new_user')).toMatchObject({ code: 2 });
});

test('all own templates become copies or go; customers are told; a voicemail is a mail', async () => {
  const world = await openWorld();
  const files = { 'works.txt': 'Telephones rest on Sunday.' };
  const run = async (line: string) => {
    const done = await world.telctl(line, { files });
    expect(done.code, done.stderr).toBe(0);
    return done.stdout;
  };
  await run('notifications customise new_user --subject One');
  await run('notifications customise missed_call --subject Two');
  await run('notifications use-system --yes');
  expect(JSON.parse(await run('notifications get missed_call -o json'))).toMatchObject({
    ...{ account_overridden: true, subject: '{{account.name}}: Missed call' },
  });
  const removed = await world.telctl('notifications restore-all --yes');
  expect(removed.stderr).toContain('Removed 2 templates.');
  const account = JSON.parse(await run('accounts create --name Below -o json'));
  const below = `--account ${account.id}`;
  await run(
    `users create --first-name Ann --last-name Archer --email ann@below.example --priv-level admin ${below}`,
  );
  await run('notifications tell-customers --subject Works --text works.txt --yes');
  const told = JSON.parse(await run(`notifications mails list -o json ${below}`));
  expect(told).toMatchObject([{ to: 'ann@below.example', subject: 'Works' }]);

  const user = JSON.parse(
    await run('users create --first-name Bob --last-name Berg --email bob@acme.example -o json'),
  );
  const box = JSON.parse(
    await run(`vmboxes create --name Bob --mailbox 200 --set owner_id=${user.id} -o json`),
  );
  await world.service('PUT', `vmboxes/${box.id}/messages`, { caller_id_number: '+14155550123' });
  const mails = JSON.parse(await run('notifications mails list -o json'));
  expect(mails).toMatchObject([{ to: 'bob@acme.example', template_id: 'voicemail_to_email' }]);
});
