import { type JsonObject, valueAt } from '../../base/json.ts';
import { suggestAllowed } from '../../base/nearest.ts';
import { recordFindings } from '../../contract/record-findings.ts';
import { requiredFields } from '../../contract/schema.ts';
import type { Schema } from '../../contract/schema-node.ts';
import type { RecordFinding } from '../../contract/types.ts';
import { createValidator, type SchemaProblem as Finding } from '../../contract/validate.ts';
import { findSilentType, webhookFindings } from '../../contract/webhook-findings.ts';
import { isRefusedWord, wordFindings } from '../../contract/word-findings.ts';
import type { Problem } from '../input/document.ts';
import { type DesiredAccount, type DesiredObject, withSampleIds } from './desired.ts';
import { type Kind, type KindName, kindByName } from './kinds.ts';

interface Rules {
  readonly resource: Kind['resource'];
  readonly schema: Schema;
  readonly check: (value: JsonObject) => readonly Finding[];
  readonly required: readonly string[];
  /** Undefined if no part has required values. */
  readonly lacking?: (value: JsonObject) => readonly Finding[];
}

const hasRequiredParts = ({ schema }: Kind): boolean =>
  JSON.stringify([schema.properties, schema.$defs]).includes('"required":');

function createRules(kind: Kind): Rules {
  const { schema, shape, calls, resource, inherited } = kind;
  return {
    resource,
    schema,
    ...(calls.create && hasRequiredParts(kind) ? { lacking: createValidator(schema, 'conventions') } : {}),
    // The reader has checked the specification, so these findings are conventions.
    check: createValidator(schema, 'conventions', { partial: true }),
    required:
      // An account's own record starts with inherited values.
      shape === 'many' && calls.create && inherited === undefined
        ? requiredFields(resource, 'create', ['specification', 'convention'])
        : [],
  };
}

/** Returns values that compatible services would refuse. With `isWhole` false, required values can be missing. */
export function conventionWarnings(
  accounts: readonly DesiredAccount[],
  isWhole: (object: DesiredObject) => boolean = () => true,
  broken: ReadonlySet<DesiredObject> = new Set(),
): readonly Problem[] {
  const known = new Map<KindName, Rules>();
  const findRules = (name: KindName): Rules => {
    const found = known.get(name) ?? createRules(kindByName(name));
    known.set(name, found);
    return found;
  };
  return accounts.flatMap(({ objects }) =>
    objects.flatMap((object) =>
      checkObject(object, findRules(object.kind), isWhole(object), broken.has(object)),
    ),
  );
}

/** Returns values that services accept, but that are probably mistakes. */
function findDoubtfulHooks(kind: KindName, value: JsonObject): readonly RecordFinding[] {
  if (kind !== 'webhooks') return [];
  const silent = findSilentType(value);
  return [
    ...webhookFindings(value),
    ...(silent === undefined ? [] : [{ field: 'custom_data', message: silent }]),
  ];
}

function checkObject(
  object: DesiredObject,
  { resource, schema, check, required, lacking }: Rules,
  isWhole: boolean,
  isBroken: boolean,
): readonly Problem[] {
  const { fields, key, unset } = object;
  const value = object.refersTo.length > 0 ? withSampleIds(fields) : fields;
  const findings = [
    ...check(value)
      // Unreadable values are `null`. Their problems were already reported.
      .filter(({ path }) => !isBroken || valueAt(fields, path) !== null)
      .map(({ path, message, rule, target, value: found }) => ({
        ...object.problem(
          path,
          `"${path}" ${message}${suggestAllowed({ rule, target, value: found })}; a KAZOO-compatible service would refuse the request`,
        ),
        ...(isRefusedWord(schema, { path, rule })
          ? { refused: true as const, refusedAt: { key, path } }
          : {}),
      })),
    ...wordFindings(schema, value).map(({ path, message, near: _, ...more }) => ({
      ...object.problem(path, message),
      ...more,
    })),
    ...(lacking?.(value) ?? [])
      .filter(({ rule, path }) => rule === 'required' && path.includes('.'))
      .map(({ path }) =>
        object.problem(path, `"${path}" is missing; a KAZOO-compatible service would refuse the request`),
      ),
    ...[
      ...recordFindings({ name: resource.name, schema }, value),
      ...findDoubtfulHooks(object.kind, value),
    ].map(({ field, message }) => object.problem(field, `${key}: ${message}`)),
  ];
  const missing = required.filter(
    (field) => !Object.hasOwn(fields, field) || (fields[field] === null && !isBroken),
  );
  if (missing.length === 0 || !isWhole) return findings;
  const names = missing.map((field) => `"${field}"${unset.includes(field) ? ' (not set)' : ''}`);
  return [
    ...findings,
    object.problem('', `${key} has no ${names.join(', ')}, which it needs if it has to be created`),
  ];
}
