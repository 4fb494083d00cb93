import { exitCodes, Failure } from '../base/failure.ts';
import { linesOf } from '../base/lines.ts';
import type { RunOptions } from '../command/context.ts';
import type { Result } from '../command/result.ts';
import type { Host } from '../host/host.ts';
import { resolveSettings } from '../session/resolve-settings.ts';
import { outputFormats } from '../session/settings.ts';
import { shortIds } from '../terminal/cells.ts';
import type { HoldingNotices } from '../terminal/notices.ts';
import type { Output } from '../terminal/output.ts';
import { render } from '../terminal/render.ts';
import { isColoured, styleFor } from '../terminal/style.ts';
import { checkAccount } from './account-scope.ts';
import { deadlineOf } from './deadline.ts';
import { guard } from './guard.ts';
import type { ParsedLine } from './parse-line.ts';
import type { Parts } from './parts.ts';
import { runOptionsOf } from './run-options.ts';
import { createServices } from './services.ts';

type RunLine = Extract<ParsedLine, { kind: 'run' }>;

const errorOf = async (result: Result, notices: HoldingNotices): Promise<Failure | undefined> =>
  (await import('./error-alone.ts')).errorOfExit(result, notices);

/** Fields of records of many accounts: whose each is stands before them. */
const withAccount = (fields: readonly string[] | undefined): readonly string[] | undefined =>
  fields && [...new Set(['account', ...fields])];

/** The paths that `--fields` names, held against the contract before anything is sent. Throws `Failure` of kind `usage`. */
async function fieldsFor({ shows }: RunLine['command'], options: RunOptions): Promise<RunOptions['fields']> {
  const { fields, query, allowUnknownFields } = options;
  if (shows === undefined || fields === undefined || query !== undefined || allowUnknownFields) return fields;
  const [{ resourceByName }, { pathsNamed }] = await Promise.all([
    import('../contract/catalogue.ts'),
    import('../contract/field-names.ts'),
  ]);
  return pathsNamed(resourceByName(shows), fields);
}

/** The machine that settings are read from. */
async function readable({ withoutSettings }: RunLine['command'], host: Host): Promise<Host> {
  if (!withoutSettings) return host;
  return (await import('../session/setting-troubles.ts')).settingTroubles(host).host;
}

/** Runs a parsed command: settings, guard, handler, rendering. Returns the exit code; throws `Failure`. */
export async function runCommand(line: RunLine, machine: Host, parts: Parts, out: Output): Promise<number> {
  const { command, global, input, many, consent } = line;
  const settings = resolveSettings({ options: global, host: await readable(command, machine) });
  const queryFields =
    global.query === undefined ? [] : await (await import('../terminal/query.ts')).checkQuery(global.query);
  const options = runOptionsOf(global, consent, line.allowUnknownFields, queryFields);
  const deadline = deadlineOf(machine, options.deadlineMs);
  const { host } = deadline;
  const asMarkdown = settings.output.value === 'markdown';
  if (asMarkdown && command.markdown !== true)
    throw new Failure('usage', `telctl ${command.path.join(' ')} has nothing to show as Markdown.`, {
      hint: `Choose another format: -o ${outputFormats.join('|')}`,
    });
  const fields = await fieldsFor(command, options);
  const isTerminal = host.stderr.isTTY === true;
  const styleOf = (terminal: boolean) => styleFor(isColoured(settings.color.value, host.env, terminal));
  const format = global.output ?? host.env.TELCTL_OUTPUT;
  const isJson = format === 'json' || format === 'ndjson';
  const errorsStandAlone = isJson && !isTerminal && options.verbosity !== 'verbose';
  const style = await styleOf(isTerminal);
  const operation = command.operations?.[0];
  const services = createServices({ host, settings, options, style, errorsStandAlone, operation, parts });
  const { notices } = services;
  try {
    await checkAccount(command, services);
    await guard(command, services);
    const result = deadline.resultOf(
      many
        ? await (await import('./many/run-many.ts')).runMany(command, input, many, services)
        : await (await command.load())(input, services),
    );
    // What comes over time is watched as it comes.
    if (result.kind === 'program' || (result.kind === 'list' && result.live)) notices.release();
    // What has no end of its own ends in good order with the window that it was looked at in.
    if (result.kind === 'list' && result.live) host.endWithTerminal();
    if (asMarkdown && result.kind === 'report') await out.write(result.markdown);
    else
      await render(result, {
        format: settings.output.value === 'markdown' ? 'table' : settings.output.value,
        fields: many && options.query === undefined ? withAccount(fields) : fields,
        allowUnknownFields: options.allowUnknownFields || command.shows !== undefined,
        query: options.query,
        reveal: options.reveal,
        out,
        endable: host.endable,
        style: await styleOf(out.terminal),
        say: (said) => notices.say(isTerminal ? linesOf(said).map(shortIds) : said),
        warn: notices.warn,
      });
    const failure =
      result.failure ?? (errorsStandAlone && result.exit ? await errorOf(result, notices) : undefined);
    if (failure) {
      // What was done is on stdout by now; what was not follows as the error page.
      await out.flush();
      throw failure;
    }
    notices.release();
    if (result.kind === 'program') return result.code;
    return result.exit === undefined ? 0 : exitCodes[result.exit];
  } catch (thrown) {
    const error = deadline.errorOf(thrown);
    throw errorsStandAlone ? (await import('./error-alone.ts')).withWarnings(error, notices) : error;
  } finally {
    await services.close();
  }
}
