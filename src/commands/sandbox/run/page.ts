import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { openBrowser } from '../../login/browser.ts';
import type { pageOptions } from '../drill/watch-commands.ts';
import { targetOf } from '../target.ts';
import { needRunning } from './running.ts';

/** Address of the page for looking at a sandbox. */
export const pageAddress = ({ baseUrl }: { readonly baseUrl: string }): string => `${baseUrl}/`;

/**
 * Says where the page of the sandbox is and, for somebody at a terminal, opens it in the browser. Throws `Failure`
 * (`unavailable`) where the sandbox does not run.
 */
export async function showPage(
  { name, noBrowser }: InputOf<typeof pageOptions>,
  { host, notices }: Context,
): Promise<Result> {
  const target = targetOf(host, name);
  const address = pageAddress(target.kind === 'exec' ? target : await needRunning(host, target.places));
  if (host.stdout.isTTY && !noBrowser && !(await openBrowser(host, address)))
    notices.warn('No browser could be started. Open the address in one on this machine.');
  return { kind: 'text', text: address, value: { page: address } };
}
