import { exitCodes, Failure, leadsOn, nextStep, withFacts } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { isObject, objectsIn } from '../../base/json.ts';
import { doubtOf, linesOf, quoted, shortIds } from '../../base/wording.ts';
import { assistantIn, errorFormat, resolveSettings } from '../../client/session/resolve-settings.ts';
import { type DocumentFormat, outputFormats, type Settings } from '../../client/session/settings.ts';
import { isDatabase } from '../../client/session/state-address.ts';
import { namesAccount } from '../../contract/resource.ts';
import { mayBeCutOff } from '../../engine/state/state.ts';
import type { Command } from '../command/command.ts';
import type { Context, RunOptions } from '../command/context.ts';
import type { Result } from '../command/result.ts';
import { markedAsData, type Output, spokenOutput } from '../terminal/output.ts';
import { gatedResult } from '../terminal/outside-gate.ts';
import { render } from '../terminal/render.ts';
import { isAccessible, isColoured, styleFor } from '../terminal/style.ts';
import { operationsNamed } from './many/options.ts';
import type { ParsedLine } from './parse-line.ts';
import { deadlineOf, runOptionsOf } from './run-options.ts';
import { createServices, type Parts, type Services } from './services.ts';

type RunLine = Extract<ParsedLine, { kind: 'run' }>;

/** Resolves the paths of `--fields` against the contract, before any request. Throws `usage` for unknown fields. */
async function fieldsFor({ shows }: RunLine['command'], options: RunOptions): Promise<RunOptions['fields']> {
  const { fields, query, allowUnknownFields } = options;
  if (shows === undefined || fields === undefined || query !== undefined || allowUnknownFields) return fields;
  const [{ resourceByName }, { pathsNamed }] = await Promise.all([
    import('../../contract/catalogue.ts'),
    import('../../contract/field-names.ts'),
  ]);
  return pathsNamed(resourceByName(shows), fields);
}

/** The host to read settings from. For commands that work without settings, it has no settings that fail to load. */
async function readable({ withoutSettings }: RunLine['command'], host: Host): Promise<Host> {
  if (!withoutSettings) return host;
  return (await import('../../client/session/setting-troubles.ts')).settingTroubles(host).host;
}

const documentNames: Readonly<Partial<Record<DocumentFormat, string>>> = {
  markdown: 'Markdown',
  html: 'HTML',
  junit: 'JUnit XML',
  tap: 'TAP',
  sarif: 'SARIF',
};

/** Runs a parsed command: settings, guard, handler, rendering. Returns the exit code. Throws `Failure`. */
export async function runCommand(line: RunLine, machine: Host, parts: Parts, out: Output): Promise<number> {
  const { command, global, input, many, consent } = line;
  const settings = resolveSettings({ options: global, host: await readable(command, machine) });
  const queryFields =
    global.query === undefined ? [] : await (await import('../terminal/query.ts')).checkQuery(global.query);
  const template =
    line.template === undefined
      ? undefined
      : await (await import('../terminal/query.ts')).readTemplate(line.template);
  const runOptions = runOptionsOf(global, parts.consent ?? consent, line.allowUnknownFields, [
    ...queryFields,
    ...(global.query === undefined ? (template?.fields ?? []) : []),
  ]);
  const options = { ...runOptions, confirm: typeof input.confirm === 'string' ? input.confirm : undefined };
  const deadline = deadlineOf(machine, options.deadlineMs);
  const { host } = deadline;
  const isLog = command.streams === true && settings.output.source === 'default';
  const chosen = isLog ? 'ndjson' : settings.output.value;
  const asMarkdown = chosen === 'markdown';
  const plainFormat = outputFormats.find((each) => each === chosen);
  const asDocument = command.documents?.find((each) => each === chosen);
  if (asMarkdown ? !command.markdown : plainFormat === undefined && asDocument === undefined)
    throw new Failure(
      'usage',
      `telctl ${command.path.join(' ')} has nothing to show as ${documentNames[chosen] ?? chosen}.`,
      {
        hint: `Choose another format: -o ${[...outputFormats, ...(command.documents ?? [])].join('|')}`,
      },
    );
  const fields = await fieldsFor(command, options);
  const isTerminal = host.stderr.isTTY === true;
  const isSpoken = isAccessible(host.env);
  const styleOf = (terminal: boolean) =>
    styleFor(isColoured(settings.color.value, host.env, terminal), isSpoken && terminal);
  const format = errorFormat(global.output, host.env);
  const isJson = format === 'json' || format === 'ndjson';
  const errorsStandAlone =
    isJson && !isTerminal && options.verbosity !== 'verbose' && parts.keepsNotices !== true;
  const style = await styleOf(isTerminal);
  const operation = command.operations?.[0];
  const services = createServices({
    host,
    settings,
    options,
    style,
    errorsStandAlone,
    operation,
    parts,
    line: { command: line.shown, note: global.note },
  });
  const { notices } = services;
  for (const note of line.notes) notices.warn(note);
  try {
    await checkAccount(command, services);
    await guard(command, services);
    // Checked before any request, because a later error could not show what was created.
    if (options.reveal && !options.dryRun && input.out === undefined) notices.disclose([]);
    if (looksForCutOff(command, options, host, settings))
      await (await import('../commands/state/open-state.ts')).reportCutOff(services);
    const made = many
      ? await (await import('./many/run-many.ts')).runMany(command, input, many, services)
      : await (await command.load())(input, services);
    const result = gatedResult(made, host.outside);
    // A document is never converted to JSON unless the user asks for it.
    const isUnasked = template === undefined && settings.output.from === assistantIn(host.env);
    const paged =
      out.terminal && isPaged(line, result) && !isUnasked && !settings.noInput.value
        ? (await import('../terminal/pager.ts')).pagedOutput(out, host, notices, settings.pager)
        : undefined;
    const marked = isUnasked && result.kind !== 'document' ? markedAsData(out) : undefined;
    // Warns only about fields that the service did not refuse, because its error already names those.
    if (result.kind === 'done' && result.failure) notices.settle(refusedFields(result.failure));
    // Streams show each record immediately.
    if (result.kind === 'program' || (result.kind === 'list' && result.live)) notices.release();
    const isTalk = isSpoken && out.terminal && chosen === 'table' && template === undefined;
    const shownOn = isTalk ? spokenOutput(paged ?? out) : (paged ?? out);
    try {
      const document = asDocument && result.kind !== 'fleet' ? result.documents?.[asDocument] : undefined;
      if (document) await shownOn.write(await document());
      else if (asMarkdown && (result.kind === 'report' || result.kind === 'fleet'))
        await (await import('../terminal/render-fleet.ts')).renderMarkdown(result, shownOn);
      else
        await render(result, {
          format: template ? 'ndjson' : isUnasked && !marked ? 'table' : (plainFormat ?? 'table'),
          // Each record of many accounts starts with its account.
          fields:
            many && fields && options.query === undefined ? [...new Set(['account', ...fields])] : fields,
          allowUnknownFields: options.allowUnknownFields || command.shows !== undefined,
          query: options.query,
          reveal: options.reveal,
          out: template?.linesTo(shownOn, host.endable) ?? marked?.out ?? shownOn,
          endable: host.endable,
          nowMs: host.clock.now(),
          style: await styleOf(out.terminal),
          namesOf: async (kind) =>
            (await import('../commands/records/read-account.ts')).namesById(services, kind),
          zoneOf: async () => (await import('../commands/records/account-time.ts')).zoneShown(services),
          say: (said) => notices.say(isTerminal ? linesOf(said).map(shortIds) : said),
          warn: notices.warn,
          disclose: notices.disclose,
        }).finally(() => marked?.end());
    } finally {
      await paged?.end();
    }
    const ended = deadline.resultOf(result);
    await services.endRecord();
    const failure =
      (ended.failure && afterChanges(ended.failure, services.troubles)) ??
      untold(services) ??
      (errorsStandAlone && ended.exit
        ? (await import('./report-failure.ts')).errorOfExit(ended, notices)
        : undefined);
    if (failure) {
      // The result is on stdout now. The error page reports the failed part.
      await out.flush();
      throw failure;
    }
    notices.settle();
    notices.release();
    if (result.kind === 'program') return result.code;
    return ended.exit === undefined ? 0 : exitCodes[ended.exit];
  } catch (thrown) {
    const error = afterChanges(deadline.errorOf(thrown), services.troubles);
    notices.settle(refusedFields(error));
    throw errorsStandAlone ? (await import('./report-failure.ts')).withWarnings(error, notices) : error;
  } finally {
    await services.close();
  }
}

/** Returns the failure of a command whose changes were sent but not completely recorded, or `undefined`. */
function untold({ troubles: { untold: failure, isSent }, settings, notices }: Services): Failure | undefined {
  if (failure === undefined || !isSent) return undefined;
  if (failure.kind === 'failed' && settings.state.source !== 'option') {
    notices.warn(`${failure.message} The log may be incomplete.`);
    return undefined;
  }
  return withFacts(failure, {
    kind: 'partial',
    lines: [...failure.lines, 'The log of this run is incomplete.'],
    hint: leadsOn`To see the log: ${nextStep`log`}. The changes were made, as shown in the result.`,
  });
}

/** Converts a state error to `partial` if a change was already sent. */
function afterChanges<E>(error: E, { kinds, isSent }: Services['troubles']): E | Failure {
  return error instanceof Failure && isSent && kinds.has(error.kind)
    ? withFacts(error, { kind: 'partial' })
    : error;
}

/** Dotted paths of the fields that the service refused. With several records, paths include the record's index. */
function refusedFields(error: unknown): ReadonlySet<string> {
  const details = error instanceof Failure && isObject(error.details) ? error.details : {};
  const one = fieldsIn(details);
  const many = objectsIn(details.failed).flatMap(({ place, error: why }) =>
    fieldsIn(isObject(why) ? why : {}).flatMap((field) => [field, doubtOf(String(place), field)]),
  );
  return new Set([...one, ...many]);
}

const fieldsIn = ({ fields }: { readonly fields?: unknown }): readonly string[] =>
  objectsIn(fields).flatMap(({ field }) => (typeof field === 'string' ? [field] : []));

/** Returns true for results that people read at their own pace. Results of changes and streams are never paged. */
const isPaged = ({ command: { effect } }: RunLine, result: Result): boolean =>
  (effect === 'read' || effect === 'local') &&
  result.kind !== 'done' &&
  result.kind !== 'program' &&
  !(result.kind === 'list' && (result.live || result.screens));

/** Returns true if the command first looks for interrupted runs. Only changes open a shared or untrusted state. */
function looksForCutOff(
  { effect }: Command,
  { dryRun }: RunOptions,
  host: Host,
  { state: { value, source } }: Settings,
): boolean {
  if (effect === 'local') return false;
  const isOwn = source !== 'directory' && !isDatabase(value ?? '');
  return isOwn ? mayBeCutOff(host, value) : effect !== 'read' && !dryRun;
}

/** Checks a change against the protection of the profile: `read-only` refuses it, `confirm` asks. Dry runs pass. */
async function guard(command: Command, context: Context): Promise<void> {
  if (command.effect === 'read' || command.effect === 'local' || context.options.dryRun) return;
  const { profile } = await context.session();
  const words = ['telctl', ...command.path].join(' ');
  if (profile.protect === 'read-only')
    await (await import('../commands/guards/protection.ts')).refuseReadOnly(context, words);
  if (profile.protect !== 'confirm') return;
  const question = `Profile "${profile.name}" is protected. Run ${words} at ${profile.baseUrl}?`;
  if (!(await context.ask.confirm(question, { option: '--yes' }))) {
    throw new Failure('interrupted', 'Nothing was changed.');
  }
}

/** Returns true if the command, or the path or query of one of its operations, takes an account. */
export async function actsOnAccount({ account, operations = [] }: Command): Promise<boolean> {
  if (account !== undefined) return account;
  return (await operationsNamed(operations)).some(namesAccount);
}

/**
 * Makes sure that a chosen account is never silently ignored. If a command does not act on an account, `--account`
 * fails with `usage`. An account from a variable, a file or the profile only causes a warning, because it is meant for
 * other commands.
 */
async function checkAccount(
  command: Command,
  { settings, session, notices }: Pick<Context, 'settings' | 'session' | 'notices'>,
): Promise<void> {
  const { value, source, from } = settings.account;
  if (value === undefined || (await actsOnAccount(command))) return;
  const words = ['telctl', ...command.path].join(' ');
  const isLocal = command.effect === 'local';
  if (source === 'option')
    throw new Failure('usage', `${words} does not act on an account, so --account has no effect.`, {
      hint: isLocal
        ? 'Leave --account out.'
        : leadsOn`Remove --account. To act as another account, sign in to it: ${nextStep`login --profile NAME`}`,
    });
  if (isLocal) return;
  const { accountId, accountName } = (await session()).profile;
  if (value === accountId || value === accountName) return;
  notices.warn(`${from} names account ${quoted(value)}, but ${words} uses the signed-in account.`);
}
