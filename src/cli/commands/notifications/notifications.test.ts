import { expect, test } from 'vitest';
import { asSuper } from '../../../../test/support/command-lines.ts';
import { openWorld } from '../../../../test/support/world.ts';

test('reads, customizes, previews and restores a template', async () => {
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

test('copies or removes all custom templates, mails customers, and lists voicemail mails', async () => {
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

test('a manifest customizes templates with their texts, and plans no changes after an export', async () => {
  const world = await openWorld();
  const run = async (line: string, files: Readonly<Record<string, string>> = {}) => {
    const done = await world.telctl(line, { files });
    expect(done.code, `${line}\n${done.stderr}`).toBe(0);
    return done;
  };
  const manifest = (notifications: string) => ({
    'welcome.html': '<p>Hello {{user.first_name}}</p>\n',
    'mails.yaml': `set: mails\nnotifications:${notifications}`,
  });
  const welcome = ` { new_user: { subject: "Welcome, {{user.first_name}}", html: "\${file.welcome.html}" } }\n`;
  expect((await run('validate -f mails.yaml', manifest(welcome))).stderr).not.toContain('warning');
  await run('apply -f mails.yaml --yes');
  const own = JSON.parse((await run('notifications get new_user -o json')).stdout);
  // What the manifest does not name is as it was inherited.
  expect(own).toMatchObject({
    ...{ account_overridden: true, subject: 'Welcome, {{user.first_name}}' },
    ...{ from: 'no_reply@sandbox.example', to: { type: 'original' } },
  });
  expect((await run('notifications text new_user --html')).stdout).toContain('<p>Hello {{user.first_name}}');
  await run('plan -f mails.yaml --exit-code');
  // Only what the account has of its own is exported, with its texts.
  await run('export --only notifications --out all.yaml');
  const exported = JSON.parse((await run('export --only notifications -o json')).stdout);
  expect(Object.keys(exported.notifications)).toEqual(['new_user']);
  expect(exported.notifications.new_user).toMatchObject({
    ...{ subject: 'Welcome, {{user.first_name}}', html: '<p>Hello {{user.first_name}}</p>' },
    text: 'New user, for {{user.first_name}} of {{account.name}}.\n',
  });
  await run('plan -f all.yaml --exit-code');
  await run('apply -f mails.yaml --yes', manifest(' { new_user: { enabled: false, text: Hello } }\n'));
  expect((await run('notifications text new_user')).stdout).toBe('Hello\n');
  const none = await world.telctl('validate -f mails.yaml', {
    files: manifest(' { new_user: { text: null } }\n'),
  });
  expect([none.code, none.stderr]).toEqual([
    10,
    expect.stringContaining('"text" cannot be removed by itself'),
  ]);
  await run('undo --yes');
  expect((await run('notifications text new_user')).stdout).toContain('New user, for');
  await run('apply -f mails.yaml --prune --yes', manifest(' { missed_call: { enabled: false } }\n'));
  const { account_overridden: left, subject } = JSON.parse(
    (await run('notifications get new_user -o json')).stdout,
  );
  expect([left, subject]).toEqual([undefined, '{{account.name}}: New user']);
});

test('lets only a super administrator change inherited templates', async () => {
  const world = await openWorld();
  const files = { 'new.txt': 'Hello from the service' };
  const change = 'notifications system customise new_user --subject Hello --text new.txt';
  expect(await world.telctl(change, { files })).toMatchObject({ code: 4 });
  await asSuper(world);
  expect(await world.telctl(`${change} --profile super`)).toMatchObject({ code: 0 });
  const shown = await world.telctl('notifications text new_user');
  expect(shown.stdout, shown.stderr).toBe('Hello from the service\n');
  const { stdout } = await world.telctl('notifications system get new_user -o json');
  expect(JSON.parse(stdout)).toMatchObject({ subject: 'Hello', category: 'user' });
  const more = 'notifications system customise customer_update_x --set-json to={"type":"admins"}';
  const added = await world.telctl(`${more} --subject News --from news@acme.example --profile super`);
  expect(added.code, added.stderr).toBe(0);
  const list = (await world.telctl('notifications system list')).stdout;
  expect([list.includes('customer_update_x'), list.includes('OWN')]).toEqual([true, false]);
});
