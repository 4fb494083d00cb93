import { valueAt } from '../../base/json.ts';
import type { Route } from './outcome.ts';
import { type ShownId, storedId } from './parties.ts';
import { said } from './records.ts';

const anonymous: ShownId = { number: 'anonymous', name: 'Anonymous' };

/** Number and name that a leg shows to the one who is called: a device of the account, or a carrier. */
export function shownTo(
  route: Route,
  to: 'device' | 'carrier',
  kind: Kind = to === 'carrier' || route.isOffnet ? 'external' : 'internal',
): ShownId {
  const { user, device, account } = route.party;
  const own = [user, device, account]
    .map((each) => said(valueAt(each, 'caller_id_options.outbound_privacy')))
    .find((each) => each !== undefined);
  const isOverwritten = route.hides !== undefined && !route.mergesPrivacy;
  const hidden = new Set([route.hides, to === 'carrier' && !isOverwritten ? own : undefined]);
  const bare = chosen(route, kind);
  if (hidden.has('full') || hidden.has('yes') || (hidden.has('name') && hidden.has('number')))
    return anonymous;
  const prefixed = route.prefixes.reduceRight<ShownId>(
    (id, prefix) => ({
      ...joined('number', prefix.number, id.number),
      ...joined('name', prefix.name, id.name),
    }),
    bare,
  );
  const shown = { ...prefixed, ...route.rewriteId };
  if (hidden.has('name')) return { ...shown, name: 'Anonymous' };
  return hidden.has('number') ? { ...shown, number: 'anonymous' } : shown;
}

const joined = (part: 'number' | 'name', prefix: string | undefined, value: string | undefined): ShownId => {
  const text = `${prefix ?? ''}${value ?? ''}`;
  return text === '' ? {} : { [part]: text };
};

type Kind = 'internal' | 'external' | 'emergency';

function chosen(route: Route, kind: Kind): ShownId {
  if ((route.isOffnet && !route.isForwarded) || route.retainsId) return { ...route.came, ...route.dynamicId };
  return { ...route.came, ...storedId(route.party, kind), ...route.dynamicId };
}

/** Number and name that an emergency service sees. */
export function shownInEmergency(route: Route): ShownId {
  const stored = storedId(route.party, 'emergency');
  return { ...chosen(route, 'external'), ...stored };
}
