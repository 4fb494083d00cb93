import type { Host } from '../../base/host/host.ts';
import { shortIds, toLines } from '../../base/wording.ts';
import type { Result } from '../command/result.ts';
import { markedAsData, type Output, spokenOutput } from '../terminal/output.ts';
import { render } from '../terminal/render.ts';
import type { OutputPlan } from './output-plan.ts';
import type { ParsedRun } from './run-command.ts';
import type { RunServices } from './services.ts';

export async function showResult(
  result: Result,
  plan: OutputPlan,
  { line, services, host }: { line: ParsedRun; services: RunServices; host: Host },
  out: Output,
): Promise<void> {
  const { settings, notices } = services;
  const paged =
    out.terminal && isPaged(line, result) && !plan.isUnasked && !settings.noInput.value
      ? (await import('../terminal/pager.ts')).pagedOutput(out, host, notices, settings.pager)
      : undefined;
  const isTalk = plan.isSpoken && out.terminal && plan.chosen === 'table' && plan.template === undefined;
  const shownOn = isTalk ? spokenOutput(paged ?? out) : (paged ?? out);
  try {
    const document = plan.document && result.kind !== 'fleet' ? result.documents?.[plan.document] : undefined;
    if (document) await shownOn.write(await document());
    else if (plan.asMarkdown && (result.kind === 'report' || result.kind === 'fleet'))
      await (await import('../terminal/render-fleet.ts')).renderMarkdown(result, shownOn);
    else await renderPlain(result, plan, { line, services, host, out }, shownOn);
  } finally {
    await paged?.end();
  }
}

async function renderPlain(
  result: Result,
  plan: OutputPlan,
  { line, services, host, out }: { line: ParsedRun; services: RunServices; host: Host; out: Output },
  shownOn: Output,
): Promise<void> {
  const { options, notices } = services;
  const { template, fields } = plan;
  // A document has its own format, so it is not marked as JSON data.
  const marked = plan.isUnasked && result.kind !== 'document' ? markedAsData(out) : undefined;
  await render(result, {
    format: template ? 'ndjson' : plan.isUnasked && !marked ? 'table' : (plan.plainFormat ?? 'table'),
    // Records of many accounts begin with the account name.
    fields:
      line.many && fields && options.query === undefined ? [...new Set(['account', ...fields])] : fields,
    allowUnknownFields: options.allowUnknownFields || line.command.shows !== undefined,
    query: options.query,
    reveal: options.reveal,
    out: template?.linesTo(shownOn, host.runBlocking) ?? marked?.out ?? shownOn,
    runBlocking: host.runBlocking,
    nowMs: host.clock.now(),
    style: await plan.styleOf(out.terminal),
    namesOf: async (kind) => (await import('../commands/records/read-account.ts')).namesById(services, kind),
    zoneOf: async () => (await import('../commands/records/account-time.ts')).displayZone(services),
    say: (text) => notices.say(host.stderr.isTTY === true ? toLines(text).map(shortIds) : text),
    warn: notices.warn,
    disclose: notices.disclose,
  }).finally(() => marked?.end());
}

/** Results of changes and live output are not paged. */
const isPaged = ({ command: { effect } }: ParsedRun, result: Result): boolean =>
  (effect === 'read' || effect === 'local') &&
  result.kind !== 'done' &&
  result.kind !== 'program' &&
  !(result.kind === 'list' && (result.live || result.screens));
