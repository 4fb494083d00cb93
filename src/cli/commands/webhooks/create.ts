import { resolve } from 'node:path';
import { createHint, Failure, nextStep, withHint } from '../../../base/failure.ts';
import { isObject, type JsonObject, textOrUndefined } from '../../../base/json.ts';
import type { Api } from '../../../client/api/api.ts';
import { webhooks } from '../../../contract/resources/webhooks.ts';
import { listSecrets, redact } from '../../../contract/secrets.ts';
import { isGiven, type ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { dryRunResult } from '../change.ts';
import { createHandler } from '../generic/create.ts';
import { readInputRecord } from '../generic/input.ts';
import { labelOf } from '../labels.ts';
import { secretFromOptions } from '../passwords/secrets.ts';
import { changedRecord, operationFor } from '../records/find-named.ts';
import { customDataOptions } from './commands.ts';
import { warnOfProblems } from './findings.ts';
import { type ChosenModifiers, offeredHooks, requireAcceptedModifiers, splitPair } from './hooks.ts';
import { newAddressSecret, secretKey } from './target-client.ts';

const createPlainly = createHandler(webhooks);

/** Creates webhooks, and warns about their likely problems. */
export async function createWebhook(input: ParsedInput, context: Context): Promise<Result> {
  const result = await createSubscription(input, context);
  if (!context.options.dryRun && 'value' in result) await warnOfProblems(context, result.value);
  return result;
}

/** Creates one webhook with the options that fill in `custom_data`. Prints a generated secret once. */
async function createSubscription(input: ParsedInput, context: Context): Promise<Result> {
  if (!Object.keys(customDataOptions).some((key) => isGiven(input[key])))
    return createPlainly(input, context).catch(withModifierHint);
  const { value } = await readInputRecord(context, webhooks, 'create', input);
  const custom = customData(input);
  const generates = input.secret === 'generate';
  const given = await secretFromOptions(context, input);
  const secret = generates ? newAddressSecret(context) : given;
  const data = withSecret({ ...value, ...mergeCustomData(value, custom) }, secret, input.secretIn === 'uri');
  const api = await context.api();
  await checkModifiers(api, data, {
    type: textOrUndefined(input.type),
    action: textOrUndefined(input.action),
  });
  const call = { operation: operationFor(webhooks, 'create'), data };
  if (context.options.dryRun) return dryRunResult(context, [{ call }]);
  // Written before the create, because a webhook with an unknown secret is useless.
  const out = typeof input.secretOut === 'string' && secret !== undefined ? input.secretOut : undefined;
  if (out !== undefined && secret !== undefined) writeSecret(context, out, secret);
  else if (generates && secret !== undefined) context.notices.disclose([secret]);
  const created = await api.call(call).then(
    (reply) => changedRecord(webhooks, reply.data),
    (error: unknown) => {
      // If the webhook may exist despite the error, the file is the only copy of its secret.
      const isNotMade = !(error instanceof Failure) || !error.inDoubt;
      if (out !== undefined && isNotMade) context.host.files.remove(resolve(context.host.cwd, out));
      if (out !== undefined && !isNotMade) context.notices.warn(`The secret of the webhook is in ${out}.`);
      return withModifierHint(error);
    },
  );
  const id = typeof created.id === 'string' ? `  ${created.id}` : '';
  const message = `Created ${labelOf(webhooks, { ...value, ...created })}${id}`;
  if (!generates || out !== undefined || secret === undefined) {
    const where = out === undefined ? [] : [`Its secret is in ${out}.`];
    return { kind: 'done', message: [message, ...where], value: created, resource: 'webhooks' };
  }
  context.notices.say([message, 'Its secret, which is shown only once:']);
  if (context.options.reveal) context.notices.disclose(listSecrets(webhooks.schema, created));
  const safe = context.options.reveal ? created : redact(webhooks.schema, created);
  return {
    kind: 'text',
    text: secret,
    value: { ...(isObject(safe) ? safe : {}), generated_secret: secret },
  };
}

/** Throws `usage` for options that the hook does not accept. The service decides about unknown hooks. */
async function checkModifiers(api: Api, { hook }: JsonObject, chosen: ChosenModifiers): Promise<void> {
  if (chosen.type === undefined && chosen.action === undefined) return;
  const offered = [...(await offeredHooks(api)), { id: 'all', choices: new Map() }];
  const meant = offered.find(({ id }) => id === hook);
  if (meant) requireAcceptedModifiers(meant, chosen, offered);
}

/** Throws the refusal for a missing modifier, with the options that set one. */
function withModifierHint(refusal: unknown): never {
  if (!(refusal instanceof Failure) || refusal.hint !== undefined) throw refusal;
  const { details } = refusal;
  const fields: unknown = isObject(details) ? details.fields : undefined;
  const namesField = (key: string): boolean =>
    Array.isArray(fields) &&
    fields.some((each: unknown) => isObject(each) && each.field === `custom_data.${key}`);
  const options = ['type', 'action'].filter(namesField).map((key) => `--${key} all`);
  if (options.length === 0) throw refusal;
  throw withHint(
    refusal,
    createHint`Choose events with ${options.join(' ')}, or one of those that ${nextStep`webhooks hooks -o yaml`} lists.`,
  );
}

const secretName = /secret|token|passw|credential|api_?key|auth/i;

function customData({ custom, type, action }: ParsedInput): JsonObject {
  const pairs = Array.isArray(custom) ? custom.map((each) => splitPair(String(each), '--custom')) : [];
  for (const [key] of pairs)
    if (secretName.test(key))
      throw new Failure(
        'usage',
        `--custom ${key}=… would show a secret to everyone who can list processes on this machine.`,
        { hint: 'Pass it with --secret generate, --secret-stdin or --secret-file, or in a file with -f.' },
      );
  return {
    ...Object.fromEntries(pairs),
    ...(typeof type === 'string' ? { type } : {}),
    ...(typeof action === 'string' ? { action } : {}),
  };
}

function mergeCustomData({ custom_data: before }: JsonObject, custom: JsonObject): JsonObject {
  if (Object.keys(custom).length === 0) return {};
  return { custom_data: { ...(isObject(before) ? before : {}), ...custom } };
}

function withSecret(data: JsonObject, secret: string | undefined, inUri: boolean): JsonObject {
  if (secret === undefined) return data;
  if (!inUri) return { ...data, ...mergeCustomData(data, { [secretKey]: secret }) };
  const url = URL.parse(String(data.uri));
  if (!url) throw new Failure('usage', '--secret-in uri needs a valid address: --uri https://…');
  url.searchParams.set(secretKey, secret);
  return { ...data, uri: url.href };
}

function writeSecret({ host }: Context, target: string, secret: string): void {
  const path = resolve(host.cwd, target);
  if (host.files.kindOf(path) !== undefined)
    throw new Failure('usage', `${target} already exists. Nothing was sent.`, {
      hint: 'Name another file with --secret-out.',
    });
  host.files.writePrivate(path, `${secret}\n`);
}
