import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { detectAssistant, errorFormat } from '../../client/session/resolve-settings.ts';
import { outputFormats, type Settings } from '../../client/session/settings.ts';
import type { Command } from '../command/command.ts';
import type { RunOptions } from '../command/context.ts';
import type { Notation } from '../command/result.ts';
import { isAccessible, isColored, type Style, styleFor } from '../terminal/style.ts';
import type { ParsedRun } from './run-command.ts';
import { readRunOptions } from './run-options.ts';
import type { Parts } from './services.ts';

type Template = Awaited<ReturnType<typeof import('../terminal/query.ts').readTemplate>>;
type Chosen = Settings['output']['value'];

export interface OutputPlan {
  /** NDJSON for a command that streams a log, unless the user chose another format. */
  readonly chosen: Chosen;
  /** `undefined` if `chosen` is an additional format of the command. */
  readonly plainFormat: (typeof outputFormats)[number] | undefined;
  readonly document: Notation | undefined;
  readonly asMarkdown: boolean;
  readonly template: Template | undefined;
  readonly fields: RunOptions['fields'];
  /** telctl runs for an assistant, which did not ask for JSON. */
  readonly isUnasked: boolean;
  readonly isSpoken: boolean;
  readonly errorsStandAlone: boolean;
  styleOf(terminal: boolean): Promise<Style>;
}

/** Reads `--query`, `--template` and the run options. Throws `usage` for an invalid expression. */
export async function readOutputOptions(
  { global, consent, input, template: text, allowUnknownFields }: ParsedRun,
  parts: Parts,
): Promise<{ readonly options: RunOptions; readonly template: Template | undefined }> {
  const { query } = global;
  const queryFields =
    query === undefined ? [] : await (await import('../terminal/query.ts')).checkQuery(query);
  const template =
    text === undefined ? undefined : await (await import('../terminal/query.ts')).readTemplate(text);
  const named = [...queryFields, ...(query === undefined ? (template?.fields ?? []) : [])];
  const options = readRunOptions(global, parts.consent ?? consent, allowUnknownFields, named);
  const confirm = typeof input.confirm === 'string' ? input.confirm : undefined;
  return { options: { ...options, confirm }, template };
}

/** Chooses the output format before any request is sent. Throws `usage` if the command cannot use it. */
export async function outputPlan(
  { command, global }: ParsedRun,
  { host, settings, options, parts }: { host: Host; settings: Settings; options: RunOptions; parts: Parts },
  template: Template | undefined,
): Promise<OutputPlan> {
  const isLog = command.streams === true && settings.output.source === 'default';
  const chosen = isLog ? 'ndjson' : settings.output.value;
  const asMarkdown = chosen === 'markdown';
  const plainFormat = outputFormats.find((each) => each === chosen);
  const document = command.documents?.find((each) => each === chosen);
  if (asMarkdown ? !command.markdown : plainFormat === undefined && document === undefined)
    throw unavailableFormat(command, chosen);
  const isSpoken = isAccessible(host.env);
  const format = errorFormat(global.output, host.env);
  return {
    chosen,
    plainFormat,
    document,
    asMarkdown,
    template,
    fields: await checkedFields(command, options),
    isUnasked: template === undefined && settings.output.from === detectAssistant(host.env),
    isSpoken,
    errorsStandAlone:
      (format === 'json' || format === 'ndjson') &&
      host.stderr.isTTY !== true &&
      options.verbosity !== 'verbose' &&
      parts.keepsNotices !== true,
    styleOf: (terminal) =>
      styleFor(isColored(settings.color.value, host.env, terminal), isSpoken && terminal),
  };
}

const documentNames: Readonly<Partial<Record<Chosen, string>>> = {
  markdown: 'Markdown',
  html: 'HTML',
  junit: 'JUnit XML',
  tap: 'TAP',
  sarif: 'SARIF',
};

const unavailableFormat = ({ path, documents = [] }: Command, chosen: Chosen): Failure =>
  new Failure(
    'usage',
    `telctl ${path.join(' ')} does not support ${documentNames[chosen] ?? chosen} output.`,
    { hint: `Choose another format: -o ${[...outputFormats, ...documents].join('|')}` },
  );

/** Checks the paths of `--fields` against the contract. Throws `usage` for an unknown path. */
async function checkedFields({ shows }: Command, options: RunOptions): Promise<RunOptions['fields']> {
  const { fields, query, allowUnknownFields } = options;
  if (shows === undefined || fields === undefined || query !== undefined || allowUnknownFields) return fields;
  const [{ resourceByName }, { pathsNamed }] = await Promise.all([
    import('../../contract/catalogue.ts'),
    import('../../contract/field-names.ts'),
  ]);
  return pathsNamed(resourceByName(shows), fields);
}
