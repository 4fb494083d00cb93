import { expect, test } from 'vitest';
import { atTerminal } from '../support/at-terminal.ts';
import { openSsoWorld, type SsoWorld } from '../support/sso-world.ts';

/** Returns a function that signs in over HTTP like a browser and follows the final redirect. */
const signInLikeBrowser =
  ({ provider }: SsoWorld, login = 'ann') =>
  async (address: string): Promise<{ readonly status: number; readonly page: string }> => {
    const reply = await fetch(await provider.signIn(address, login));
    return { status: reply.status, page: await reply.text() };
  };

const knownOptions = ({ provider }: SsoWorld) => [
  ...['--client-id', provider.clientId],
  ...['--discovery', provider.discovery],
];

const findAddress = (text: string): string => /^http\S+$/m.exec(text.replaceAll('\r', ''))?.[0] ?? '';

test('an identity is refused, linked after a sign-in, used to sign in, and unlinked', async () => {
  const world = await openSsoWorld();
  const { telctl, signIn, login, ownUser, url, seed } = world;
  const unlinked = await signIn([...login, ...knownOptions(world)], signInLikeBrowser(world));
  expect(unlinked.code).toBe(4);
  expect(unlinked.stderr).toContain('no user of the service is linked to that identity yet');
  expect(unlinked.stderr).toContain(
    `telctl login --profile default --base-url ${url} --sso google ${knownOptions(world).join(' ')} --username NAME`,
  );
  expect((await telctl('profiles', 'list', '-o', 'json')).stdout.trim()).toBe('[]');

  // The application and provider are now read from the service, which the user's own sign-in permits.
  const linking = await signIn([...login, ...ownUser], signInLikeBrowser(world));
  expect(linking.code, linking.stderr).toBe(0);
  expect(linking.stderr).toContain('Linked. google can now sign you in.');
  const links = JSON.parse((await telctl('sso', 'links', 'list', '-o', 'json')).stdout);
  expect(links).toMatchObject([{ provider: 'google', email: 'ann@mail.example' }]);

  expect((await telctl('logout', '--yes')).code).toBe(0);
  const pages: unknown[] = [];
  const linked = await signIn([...login, ...knownOptions(world)], async (address) => {
    pages.push(await signInLikeBrowser(world)(address));
  });
  expect(linked.code, linked.stderr).toBe(0);
  expect(linked.stderr).toContain('by single sign-on at google');
  expect(pages).toMatchObject([{ status: 200, page: expect.stringContaining('You can close this page') }]);
  expect(JSON.parse((await telctl('whoami', '-o', 'json')).stdout)).toMatchObject({
    method: 'sso',
    account_id: seed.accountId,
    owner_id: seed.adminUserId,
    username: 'admin',
  });

  // The profile stores the options, so they can be omitted.
  const again = await signIn(['login', '--sso', 'google'], signInLikeBrowser(world));
  expect(again.code, again.stderr).toBe(0);

  const unlink = await telctl('sso', 'links', 'delete', links[0].id, '--yes');
  expect(unlink.code, unlink.stderr).toBe(0);
  expect((await signIn(['login', '--sso', 'google'], signInLikeBrowser(world))).code).toBe(4);
});

test('another identity needs its own link and cannot take over a user', async () => {
  const world = await openSsoWorld();
  const { signIn, login, ownUser } = world;
  expect((await signIn([...login, ...ownUser], signInLikeBrowser(world))).code).toBe(0);
  const other = await signIn(['login', '--sso', 'google'], signInLikeBrowser(world, 'eve'));
  expect(other.code).toBe(4);
  expect((await world.telctl('whoami')).code).toBe(0);
});

test('the sign-in uses PKCE with S256, a state and a nonce, and ignores other responses', async () => {
  const world = await openSsoWorld();
  const { signIn, login, ownUser, provider } = world;
  const seen: number[] = [];
  const run = await signIn([...login, ...ownUser], async (address) => {
    const params = new URL(address).searchParams;
    expect(Object.fromEntries(params)).toMatchObject({
      response_type: 'code',
      client_id: provider.clientId,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const back = params.get('redirect_uri') ?? '';
    expect(back).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    for (const foreign of [`${back}?code=x&state=other`, `${back}?code=x`, new URL('/favicon.ico', back)]) {
      seen.push((await fetch(foreign)).status);
    }
    await signInLikeBrowser(world)(address);
  });
  expect(run.code, run.stderr).toBe(0);
  expect(seen).toEqual([400, 400, 404]);
});

test('a refusal of the provider is reported and nothing is stored', async () => {
  const world = await openSsoWorld();
  const run = await world.signIn([...world.login, ...knownOptions(world)], async (address) => {
    const params = new URL(address).searchParams;
    const back = new URL(params.get('redirect_uri') ?? '');
    const refusal = {
      error: 'access_denied',
      error_description: 'Not\u001b[31m today',
      iss: world.provider.issuer,
    };
    back.search = String(new URLSearchParams({ ...refusal, state: params.get('state') ?? '' }));
    expect(await (await fetch(back)).text()).toContain('did not sign you in');
  });
  expect(run.code).toBe(4);
  expect(run.stderr).toContain('did not sign you in: Not');
  expect(run.stderr).not.toContain('\u001b[31m');
});

test('a response of another provider is refused', async () => {
  const world = await openSsoWorld();
  const run = await world.signIn([...world.login, ...knownOptions(world)], async (address) => {
    const back = new URL(await world.provider.signIn(address, 'ann'));
    back.searchParams.set('iss', 'https://elsewhere.example');
    await fetch(back);
  });
  expect(run.code).toBe(4);
  expect(run.stderr).toContain('does not come from');
});

test('without a browser the address is printed and the code is read from standard input', async () => {
  const world = await openSsoWorld();
  const { child, end } = world.start([
    ...world.login,
    ...knownOptions(world),
    ...world.ownUser,
    ...['--no-browser', '--code-stdin'],
  ]);
  const address = await new Promise<string>((resolve) => {
    let shown = '';
    child.stderr.on('data', (chunk: Buffer) => {
      shown += chunk;
      if (/^http\S+\n/m.test(shown)) resolve(findAddress(shown));
    });
  });
  const back = new URL(await world.provider.signIn(address, 'ann'));
  child.stdin.end(`${back.searchParams.get('code')}\n`);
  const run = await end;
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('Linked');
});

test('a sign-in is offered at a terminal, and the pasted address is never shown', async () => {
  const world = await openSsoWorld();
  const { home, login, provider, seed } = world;
  let pasted = '';
  const run = await atTerminal([...login, ...knownOptions(world), '--no-browser'], home, [
    {
      see: /final address of the browser:/,
      async type(shown) {
        pasted = await provider.signIn(findAddress(shown), 'ann');
        return `${pasted}\r`;
      },
    },
    { see: /link it to google\?/, type: 'y\r' },
    { see: /User name:/, type: 'admin\r' },
    { see: /Name of the account:/, type: 'acme\r' },
    { see: /Password of admin:/, type: `${seed.adminPassword}\r` },
  ]);
  expect(run.code, run.shown).toBe(0);
  expect(run.shown).toContain('Linked. google can now sign you in.');
  expect(run.shown).not.toContain(new URL(pasted).searchParams.get('code'));
  expect(run.shown).not.toContain(seed.adminPassword);
  expect(JSON.parse((await world.telctl('whoami', '-o', 'json')).stdout)).toMatchObject({ method: 'sso' });
});

test('options of single sign-on exclude other ways to sign in', async () => {
  const world = await openSsoWorld();
  for (const [options, says] of [
    [['--client-id', 'x'], '--client-id needs --sso'],
    [['--sso', 'google', '--api-key-stdin'], 'Give --sso or --api-key-stdin, not both.'],
    [['--sso', 'google'], 'only to signed-in users'],
    [['--sso', 'google', ...knownOptions(world), '--no-browser'], '--code-stdin'],
    [
      ['--sso', 'google', ...knownOptions(world), '--redirect-uri', 'https://x.example/'],
      'must be an address of',
    ],
  ] as const) {
    const run = await world.telctl('login', '--base-url', world.url, ...options);
    expect(run.code, run.stderr).toBe(2);
    expect(run.stderr).toContain(says);
  }
});
