import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { InputOf } from '../../../cli/command/command.ts';
import type { Context } from '../../../cli/command/context.ts';
import type { Result } from '../../../cli/command/result.ts';
import { extensionPart } from '../../../cli/commands/extension.ts';
import { openBrowser } from '../../../cli/commands/login/sso-code.ts';
import type { Reader } from '../reader.ts';
import { apiReader } from './api-reader.ts';
import type { consoleArguments, consoleOptions } from './commands.ts';
import { serveConsole } from './console-server.ts';
import { auditIn, followIn, planIn, runsIn } from './local-reader.ts';

type Input = InputOf<typeof consoleOptions, typeof consoleArguments>;

/** Reads what the first page needs, and listens: whoever cannot sign in is told so before anything does. */
async function begin({ plan: kept, port = 0 }: Input, context: Context) {
  const { host, settings } = context;
  const api = await context.api();
  const accountId = await context.accountId();
  const { profile } = await context.session();
  const plan = kept === undefined ? undefined : await planIn(context, kept, profile.baseUrl);
  const name = accountId === profile.accountId ? profile.accountName : undefined;
  const reader: Reader = {
    ...apiReader(api, host.clock, settings.concurrency.value, { id: accountId, name }),
    ...(await extensionPart('readRollouts')?.(context)),
    audit: auditIn(context, accountId),
    follow: followIn(context),
    runs: () => runsIn(context, profile.baseUrl),
    ...(plan ? { plan } : {}),
  };
  await reader.accounts();
  const { answerPage } = await import('../page/page.ts');
  const frame = {
    name: 'console',
    facts: [{ text: new URL(profile.baseUrl).host, title: profile.baseUrl }],
    warnings: [],
    home: accountId,
    unknown: 'Requests and deliveries as they happen are not known here: only the service sees them.',
  };
  const answer = (query: URLSearchParams) => answerPage(query, reader, frame);
  return serveConsole(port, host.random, answer);
}

/** Serves pages of the service until Ctrl-C. Throws `Failure`: no sign-in, a plan that is none, a port that is taken. */
export async function openConsole(input: Input, context: Context): Promise<Result> {
  const { host, notices } = context;
  async function* items(): AsyncGenerator<JsonObject> {
    let server: Awaited<ReturnType<typeof begin>> | undefined;
    let opening: Awaited<ReturnType<typeof openPrivately>> | undefined;
    try {
      server = await begin(input, context);
      const { address } = server;
      yield { address };
      if (host.stdout.isTTY && !input.noBrowser) {
        opening = await openPrivately(host, address);
        void server.opened.then(opening.remove);
        if (!opening.started)
          notices.warn('No browser could be started. Open the address in one on this machine.');
      }
      notices.say('The address works once. Ctrl-C ends the console.');
      if (!host.interrupted.aborted) await once(host.interrupted, 'abort');
    } catch (error) {
      // Ctrl-C while it was still beginning is an end like any other.
      if (!(error instanceof Failure && error.kind === 'interrupted')) throw error;
    } finally {
      opening?.remove();
      await server?.close();
    }
  }
  return {
    kind: 'list',
    items: items(),
    live: [60],
    columns: [{ header: 'ADDRESS', paths: ['address'] }],
    noun: 'addresses',
    summary: () => 'The console has ended.',
  };
}

/** A page that leads on to an address at once. The address is telctl's own: it has nothing to escape. */
const leadingTo = (address: string): string => `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>telctl console</title>
<a href="${address}">Open the console</a>
`;

/**
 * Opens an address with a key in the browser, by way of a private file: arguments of programs can be read by everybody
 * on this machine. The file is to be removed (`remove`) once the browser was there.
 */
async function openPrivately(host: Host, address: string) {
  const { files, folders, random } = host;
  const name = `${Buffer.from(random.bytes(12)).toString('base64url')}.html`;
  const path = join(folders.state, 'opening', name);
  const remove = (): void => files.remove(path);
  try {
    files.writePrivate(path, leadingTo(address));
  } catch {
    return { started: false, remove };
  }
  return { started: await openBrowser(host, pathToFileURL(path).href), remove };
}
