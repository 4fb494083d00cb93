import { join } from 'node:path';
import { Failure, withFacts } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import type { JsonObject } from '../../../base/json.ts';
import { programEnvironment } from '../../../base/program-environment.ts';
import { errorMessage } from '../../../base/wording.ts';
import { isPrivateKey } from '../../../contract/name-lists.ts';
import { commandWordsOf } from '../../../contract/resource.ts';
import { isSecretField } from '../../../contract/schema.ts';
import type { SchemaNode } from '../../../contract/schema-node.ts';
import type { Resource } from '../../../contract/types.ts';
import { mergePatch, withMergePatch } from '../../../engine/manifest/canonical.ts';
import { fieldsText } from '../../../engine/manifest/manifest-text.ts';
import { accountFile } from '../../../engine/state/ledger.ts';
import type { Handler, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { changedFields, confirmChange } from '../change.ts';
import { labelOf } from '../labels.ts';
import { findNamed } from '../records/find-named.ts';
import { readInputRecord } from './input.ts';
import { patchRecord, recordByInput, recordOfReply, replaceRecord } from './update.ts';

/** Opens the record in an editor and sends the changes after a question. On failure, the file is kept. */
export function editHandler(resource: Resource): Handler<ParsedInput> {
  return async (input, context) => {
    const find = () => findNamed(context, resource, String(input.id));
    const named = recordByInput(context, resource, find, 'it cannot be edited.');
    const record = recordOfReply(await named.read());
    if (record === undefined)
      throw new Failure('usage', `This service cannot show a single ${resource.singular}.`);
    const { files, folders } = context.host;
    const { id } = await named.find();
    const { profile } = await context.session();
    const owner = accountFile({ origin: profile.baseUrl, accountId: await context.accountId() });
    const name = `${owner}-${resource.name}-${id.replaceAll(/[^\w.-]/g, '_')}.yaml`;
    const path = join(folders.state, 'edits', name);
    const before = editableFields(resource, record);
    const text = editText(resource, record, before);
    files.writePrivate(path, text);
    await editFile(context, path);
    const edited = files.readText(path)?.text ?? '';
    if (edited === text || isOnlyComments(edited)) {
      files.remove(path);
      return { kind: 'done', message: `Nothing was changed in ${labelOf(resource, record)}.` };
    }
    try {
      const { allowUnknownFields, strictInput } = input;
      const given = { files: [path], allowUnknownFields, strictInput };
      const { value } = await readInputRecord(context, resource, 'patch', given, async () => [record]);
      const result = await sendEdit(context, resource, named, record, mergePatch(before, value));
      files.remove(path);
      return result;
    } catch (error) {
      throw withFileHint(error, path, ['telctl', ...commandWordsOf(resource), 'patch', id].join(' '));
    }
  };
}

async function sendEdit(
  context: Context,
  resource: Resource,
  named: ReturnType<typeof recordByInput>,
  record: JsonObject,
  patch: JsonObject,
): Promise<Result> {
  const label = labelOf(resource, record);
  if (Object.keys(patch).length === 0) return { kind: 'done', message: `Nothing was changed in ${label}.` };
  const found = await named.find();
  const canPatch = resource.operations.some(({ verb }) => verb === 'patch');
  if (!context.options.dryRun) {
    const lines = [label, ...changedFields(resource.schema, record, patch)];
    await context.notices.report(lines.map((line) => [{ text: line }]));
    await confirmChange(context, 'Change it?');
  }
  if (canPatch) return patchRecord(context, resource, found, patch, 'Changed');
  return replaceRecord(context, resource, named, withMergePatch(withoutPrivate(resource, record), patch));
}

/** Opens a file in the editor of the user. Throws `usage` if no editor is set, `failed` if it fails. */
async function editFile({ host }: Context, path: string): Promise<void> {
  const { env, platform, processes } = host;
  const editor = env.VISUAL || env.EDITOR || (host.stdin.isTTY ? defaultEditor(platform) : undefined);
  if (editor === undefined)
    throw new Failure('usage', 'There is no terminal, and EDITOR is not set.', {
      hint: 'Change single fields with patch, or set EDITOR.',
    });
  const [command = '', ...args] = editorWords(editor, host);
  let end: { readonly code: number | null };
  try {
    end = await processes.runAttached(command, [...args, path], programEnvironment(host), host.interrupted);
  } catch (error) {
    throw new Failure(
      'failed',
      `The editor ${JSON.stringify(editor)} cannot be started: ${errorMessage(error)}`,
      {
        hint: 'Set EDITOR or VISUAL to another editor.',
        cause: error,
      },
    );
  }
  if (end.code !== 0)
    throw new Failure(
      'failed',
      `The editor ${JSON.stringify(editor)} exited with code ${end.code}. Nothing was changed.`,
      { hint: `The file is kept: ${path}` },
    );
}

/** Splits the command of an editor: `code --wait`. A path with spaces is one word if it exists or is quoted. */
function editorWords(editor: string, { platform, files }: Host): readonly string[] {
  const words = editor.match(/"[^"]*"|\S+/g)?.map((word) => word.replace(/^"(.*)"$/, '$1')) ?? [];
  const ends = words.map((_, index) => words.length - index);
  const end = ends.find((each) => each > 1 && files.kindOf(words.slice(0, each).join(' ')) === 'file');
  if (end !== undefined) return [words.slice(0, end).join(' '), ...words.slice(end)];
  return platform === 'win32' ? words : ['sh', '-c', `${editor} "$@"`, editor];
}

const defaultEditor = (platform: NodeJS.Platform): string => (platform === 'win32' ? 'notepad' : 'vi');

/** Users who want no change can delete the rest of the file. */
const isOnlyComments = (text: string): boolean =>
  text.split('\n').every((line) => /^\s*(?:#.*)?$/.test(line));

const propertiesOf = ({ schema }: Resource): Readonly<Record<string, SchemaNode>> => schema.properties ?? {};

const withoutPrivate = (resource: Resource, record: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([key]) => !isPrivateKey(key) && propertiesOf(resource)[key]?.readOnly !== true,
    ),
  );

const editableFields = (resource: Resource, record: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(withoutPrivate(resource, record)).filter(([key]) => {
      const node = propertiesOf(resource)[key];
      return key !== 'id' && !(node && isSecretField(node));
    }),
  );

/** Formats the file to edit: each field below its description, then unset fields as comments. */
function editText(resource: Resource, record: JsonObject, before: JsonObject): string {
  const properties = propertiesOf(resource);
  const notes = Object.fromEntries(
    Object.entries(properties).map(([key, node]) => [key, describeProperty(node)]),
  );
  const unset = Object.entries(properties).filter(
    ([key, node]) =>
      !Object.hasOwn(record, key) && node.readOnly !== true && !isSecretField(node) && key !== 'id',
  );
  return [
    `# ${labelOf(resource, record)}: change it, save, and close the editor. Changes are checked and shown before`,
    '# they are sent. Delete a line to remove a field, or everything to cancel. Secrets are not shown.',
    '',
    fieldsText(before, notes),
    ...(unset.length === 0 ? [] : ['', '# Not set:']),
    ...unset.map(([key, node]) => `# ${key}: ${describeProperty(node) ?? ''}`.trimEnd()),
    '',
  ].join('\n');
}

/** `text: Time zone`, `one of user, admin: Role`. */
function describeProperty({
  description,
  type,
  enum: choices,
  'x-convention': convention,
}: SchemaNode): string | undefined {
  const words = choices ?? convention?.enum;
  const what = words ? `one of ${words.map(String).join(', ')}` : [type].flat().join(' or ');
  return [what, description]
    .filter((part) => part)
    .join(': ')
    .replaceAll('\n', ' ');
}

function withFileHint(error: unknown, path: string, again: string): unknown {
  if (!(error instanceof Failure)) return error;
  const hint = `Your file is kept: ${path}. Correct it and run: ${again} -f ${path}`;
  return withFacts(error, { hint: error.hint === undefined ? hint : `${error.hint} ${hint}` });
}
