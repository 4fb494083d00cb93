import { isObject, type Json, type JsonObject, textAt, valueAt } from '../../base/json.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import type { ResourceName, UniqueRule } from '../../contract/types.ts';
import { textsAt } from './fields.ts';
import type { RefusedField } from './refusal.ts';
import type { Claim, Key, Put, Store, StoredRecord } from './store/store.ts';
import { isPortOpen } from './telephony/port-states.ts';

function textsOf(body: JsonObject, path: string): readonly string[] {
  const value = valueAt(body, path);
  const items: readonly (Json | undefined)[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item) =>
    typeof item === 'string' || typeof item === 'number' ? [String(item)] : [],
  );
}

/** Normalizes an account name for comparison (Conventions, uniqueness). */
export const lettersAndDigits = (name: string): string =>
  name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

interface FieldClaim extends Claim {
  readonly at: string;
}

function claimsByRule(record: StoredRecord, rule: UniqueRule): readonly FieldClaim[] {
  const field = rule.pool ?? rule.field;
  const { kind } = record;
  const scope = rule.within === 'service' ? '' : record.scope;
  const same = rule.lettersAndDigits
    ? lettersAndDigits
    : (text: string) => (rule.ignoreCase ? text.toLowerCase() : text);
  return textsOf(record.body, rule.field).map((text) => ({
    kind,
    scope,
    field,
    value: same(text),
    at: field,
  }));
}

/** Returns unique values that the contract does not list: API keys of accounts, and numbers of open ports. */
function otherClaims({ kind, body, hidden }: StoredRecord): readonly FieldClaim[] {
  if (kind === 'ports') {
    const numbers = isObject(body.numbers) && isPortOpen(String(body.port_state)) ? body.numbers : {};
    return Object.keys(numbers).map((value) => ({ kind, scope: '', field: 'number', value, at: value }));
  }
  const keyId = kind === 'accounts' ? textAt(hidden, 'key_id') : undefined;
  return keyId === undefined ? [] : [{ kind, scope: '', field: 'key_id', value: keyId, at: 'api_key' }];
}

/** Returns keys from hidden values, such as digests of users and the parents of accounts. */
function hiddenKeys({ kind, body, hidden }: StoredRecord): readonly Key[] {
  const single = (field: string): readonly Key[] => {
    const value = textAt(hidden, field);
    return value === undefined ? [] : [{ field, value }];
  };
  switch (kind) {
    case 'users': {
      const administers = body.priv_level === 'admin' && body.enabled !== false;
      return [
        ...single('md5'),
        ...single('sha'),
        ...(administers ? [{ field: 'administers', value: 'yes' }] : []),
      ];
    }
    case 'accounts':
      return [...single('parent'), ...textsAt(hidden, 'tree').map((value) => ({ field: 'ancestor', value }))];
    case 'numbers':
      return [
        ...single('account'),
        ...textsAt(hidden, 'tree').map((value) => ({ field: 'ancestor', value })),
      ];
    case 'cdrs':
    case 'recordings':
      return ['owner', 'endpoint', 'interaction', 'call', 'minute'].flatMap(single);
    case 'messages':
      return textsOf(body, 'folder').map((value) => ({ field: 'folder', value }));
    case 'apps':
      return [
        ...single('account'),
        ...textsOf(body, 'provider').map((value) => ({ field: 'provider', value })),
      ];
    default:
      return [...single('account'), ...single('owner')];
  }
}

/** Returns the position in lists, before the id (Conventions, order key). */
function listOrderOf({ body, createdAt }: StoredRecord, name: ResourceName): string {
  const { listOrder = [] } = resourceByName(name);
  if (listOrder === 'created') return String(createdAt);
  return listOrder
    .map((field) => textAt(body, field) ?? '')
    .join(' ')
    .toLowerCase();
}

function allClaims(record: StoredRecord, name: ResourceName): readonly FieldClaim[] {
  const claims = [
    ...resourceByName(name).unique.flatMap((rule) => claimsByRule(record, rule)),
    ...otherClaims(record),
  ];
  return [...new Map(claims.map((claim) => [`${claim.field} ${claim.value}`, claim])).values()];
}

interface ClaimConflict extends RefusedField {
  readonly claim: Claim;
}

/** Builds the write of a record, with its list position, keys and claims. Omits conflicting claims. */
export function buildPut(
  record: StoredRecord,
  name: ResourceName,
  clashes: readonly ClaimConflict[] = [],
): Put {
  const isFree = ({ field, value }: Claim): boolean =>
    !clashes.some(({ claim }) => claim.field === field && claim.value === value);
  const natural = resourceByName(name).naturalKeys.flatMap((field) =>
    textsOf(record.body, field).map((value) => ({ field, value })),
  );
  return {
    change: 'put',
    record,
    order: listOrderOf(record, name),
    keys: [...natural, ...hiddenKeys(record)],
    claims: allClaims(record, name)
      .map(({ at: _, ...claim }) => claim)
      .filter(isFree),
  };
}

/** Finds claims of a record that other records hold. */
export async function findClaimConflicts(
  record: StoredRecord,
  name: ResourceName,
  store: Store,
): Promise<readonly ClaimConflict[]> {
  const clashes = await Promise.all(
    allClaims(record, name).map(async (claim) => {
      const holder = await store.findHolder(claim);
      if (!holder || (holder.id === record.id && holder.scope === record.scope)) return [];
      const other = await store.get(holder);
      const otherName = other && textAt(other.body, 'name');
      const cause = otherName === undefined ? claim.value : `${claim.value} (${otherName})`;
      return [
        {
          path: claim.at,
          rule: 'unique',
          message: `${claim.value} is already used by another ${resourceByName(name).singular}`,
          cause,
          claim,
        },
      ];
    }),
  );
  return clashes.flat();
}
