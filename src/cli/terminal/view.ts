import type { Host } from '../../base/host/host.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import type { Lines } from '../../base/wording.ts';
import type { OutputFormat } from '../../client/session/settings.ts';
import { loadedResource } from '../../contract/resource.ts';
import { redact, secretsIn } from '../../contract/secrets.ts';
import type { ResourceName } from '../../contract/types.ts';
import type { Output } from './output.ts';
import type { Style } from './style.ts';

/** Settings for showing the result of one run. */
export interface View {
  readonly format: OutputFormat;
  /** `--fields`: dotted paths. */
  readonly fields: readonly string[] | undefined;
  /** Fields that the contract does not know pass. */
  readonly allowUnknownFields: boolean;
  /** `--query`: a JMESPath expression. */
  readonly query: string | undefined;
  /** Secret fields are shown. */
  readonly reveal: boolean;
  /** Does work that never waits, until a deadline; signals end the process meanwhile. */
  readonly endable: Host['endable'];
  readonly out: Output;
  /** Time at which it is shown, in milliseconds since the Unix epoch. */
  readonly nowMs: number;
  readonly style: Style;
  /** Names of the records of a kind by id; `undefined` where nobody can tell. */
  readonly namesOf?: (kind: ResourceName) => Promise<ReadonlyMap<string, string> | undefined>;
  /** A line for people on stderr, beside the result. */
  say(said: Lines): void;
  /** Called with secrets before they are shown. */
  disclose(secrets: Iterable<string>): void;
  /** The same for what people should look at. */
  warn(said: Lines): void;
}

/**
 * Gives what records, or lists of records, of a resource pass before they are shown: it masks what the contract calls
 * secret, or discloses it where it was asked for.
 */
export async function secretsOf(
  name: ResourceName,
  { reveal, disclose }: Pick<View, 'reveal' | 'disclose'>,
): Promise<(value: Json) => Json> {
  const { schema } =
    loadedResource(name) ?? (await import('../../contract/catalogue.ts')).resourceByName(name);
  const pass = (value: Json): Json => {
    if (!reveal) return redact(schema, value);
    const secrets = secretsIn(schema, value);
    if (secrets.length > 0) disclose(secrets);
    return value;
  };
  return (value) => (Array.isArray(value) ? value.map(pass) : pass(value));
}

/** The parts of a value that dotted paths name, in their places and in the order of the paths. */
export function selectFields(value: Json, fields: readonly string[]): Json {
  if (Array.isArray(value)) return value.map((item: Json) => selectFields(item, fields));
  if (!isObject(value)) return value;
  return fields.reduce<JsonObject>((chosen, path) => {
    const found = valueAt(value, path);
    return found === undefined ? chosen : placed(chosen, path.split('.'), found);
  }, {});
}

/** A copy of `target` with `found` at the end of `keys`. Positions of an array become keys. */
function placed(target: JsonObject, [key = '', ...more]: readonly string[], found: Json): JsonObject {
  const inner = Object.hasOwn(target, key) ? target[key] : undefined;
  const value = more.length === 0 ? found : placed(isObject(inner) ? inner : {}, more, found);
  return { ...target, [key]: value };
}
