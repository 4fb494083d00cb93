import type { Host } from '../../../base/host/host.ts';
import type { Output } from '../../terminal/output.ts';
import type { ParsedLine } from '../parse-line.ts';
import { helpPage } from './help-page.ts';

type HelpLine = Extract<ParsedLine, { kind: 'help' }>;

/** Shows a page of help; at a terminal through the pager where it is longer than the screen (Interface, reading). */
export async function showHelpPage({ page, global }: HelpLine, host: Host, out: Output): Promise<void> {
  const text = await helpPage(page, out.columns);
  const paged = out.terminal ? await pagedOver(out, host, global) : undefined;
  await (paged ?? out).write(text);
  await paged?.end();
}

/** Help is shown whatever is wrong with settings. */
async function pagedOver(out: Output, machine: Host, global: HelpLine['global']) {
  const [{ settingTroubles }, { resolveSettings }, { noticesOn }, { styleFor }, { pagedOutput }] =
    await Promise.all([
      import('../../../client/session/setting-troubles.ts'),
      import('../../../client/session/resolve-settings.ts'),
      import('../../terminal/notices.ts'),
      import('../../terminal/style.ts'),
      import('../../terminal/pager.ts'),
    ]);
  const { noPager } = global;
  const { pager, noInput } = resolveSettings({ options: { noPager }, host: settingTroubles(machine).host });
  if (noInput.value) return undefined;
  const notices = noticesOn(machine, { quiet: false, style: await styleFor(false, false) });
  return pagedOutput(out, machine, notices, pager);
}
