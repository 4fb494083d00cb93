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
import { ApiReader } from './api-reader.ts';
import type { consoleArguments, consoleOptions } from './commands.ts';
import { serveConsole } from './console-server.ts';
import { auditReader, callSimulator, readPlan, readRuns } from './local-reader.ts';

type Input = InputOf<typeof consoleOptions, typeof consoleArguments>;

/** Reads the accounts, so that sign-in errors appear first, and starts the server. */
async function startConsole({ plan: planFile, port = 0 }: Input, context: Context) {
  const { host, settings } = context;
  const api = await context.api();
  const accountId = await context.accountId();
  const { profile } = await context.session();
  const plan = planFile === undefined ? undefined : await readPlan(context, planFile, profile.baseUrl);
  const name = accountId === profile.accountId ? profile.accountName : undefined;
  const reader: Reader = Object.assign(
    new ApiReader(api, host.clock, settings.concurrency.value, { id: accountId, name }),
    await extensionPart('readRollouts')?.(context),
    {
      audit: auditReader(context, accountId),
      follow: callSimulator(context),
      runs: () => readRuns(context, profile.baseUrl),
      ...(plan ? { plan } : {}),
    },
  );
  await reader.accounts();
  const { answerPage } = await import('../page/page.ts');
  const frame = {
    name: 'console',
    facts: [{ text: new URL(profile.baseUrl).host, title: profile.baseUrl }],
    warnings: [],
    home: accountId,
    unknown: 'Live requests and deliveries are not available here. Only the service sees them.',
  };
  const answer = (query: URLSearchParams) => answerPage(query, reader, frame);
  return serveConsole(port, host.random, answer);
}

/** Serves pages of the service until Ctrl-C. Throws `Failure` without a sign-in, a valid plan or a free port. */
export async function openConsole(input: Input, context: Context): Promise<Result> {
  const { host, notices } = context;
  async function* items(): AsyncGenerator<JsonObject> {
    let server: Awaited<ReturnType<typeof startConsole>> | undefined;
    let opening: Awaited<ReturnType<typeof openPrivately>> | undefined;
    try {
      server = await startConsole(input, context);
      const { address } = server;
      yield { address };
      if (host.stdout.isTTY && !input.noBrowser) {
        opening = await openPrivately(host, address);
        void server.opened.then(opening.remove);
        if (!opening.started)
          notices.warn('telctl could not start a browser. Open the address in a browser on this machine.');
      }
      notices.say('The address works once. Press Ctrl-C to stop the console.');
      if (!host.interrupted.aborted) await once(host.interrupted, 'abort');
    } catch (error) {
      // Ctrl-C during the start is not an error.
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
    summary: () => 'The console has stopped.',
  };
}

/** Returns a page that redirects to an address. The address comes from telctl, so it needs no escaping. */
const redirectPage = (address: string): string => `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>telctl console</title>
<a href="${address}">Open the console</a>
`;

/**
 * Opens an address that contains a key. The address is passed in a private file, because every user of this machine
 * can read the arguments of programs. Call `remove` to delete the file when the browser has opened the address.
 */
async function openPrivately(host: Host, address: string) {
  const { files, folders, random } = host;
  const name = `${Buffer.from(random.bytes(12)).toString('base64url')}.html`;
  const path = join(folders.state, 'opening', name);
  const remove = (): void => files.remove(path);
  try {
    files.writePrivate(path, redirectPage(address));
  } catch {
    return { started: false, remove };
  }
  return { started: await openBrowser(host, pathToFileURL(path).href), remove };
}
