import type { JsonObject } from '../../../base/json.ts';
import { devices } from '../../../contract/resources/devices.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { operationFor } from '../generic/find-named.ts';
import { flattened } from '../generic/list.ts';

/** Types that have no registration, with what stands in its place (Conventions, Devices). */
const without = new Map([
  ['cellphone', 'forwarded'],
  ['landline', 'forwarded'],
  ['sip_uri', 'by its address'],
]);

/** Lists the devices of an account with their registration, which the service tells apart from them. */
export async function deviceStatus(_: Record<never, never>, context: Context): Promise<ListResult> {
  const api = await context.api();
  const registered = new Set<unknown>();
  for await (const each of flattened(api.pages({ operation: operationFor(devices, 'status') })))
    if (each.registered === true) registered.add(each.device_id);
  const all = api.pages({ operation: operationFor(devices, 'list'), query: { ascending: 'true' } });
  return {
    kind: 'list',
    items: withStatus(flattened(all), registered),
    resource: 'devices',
    noun: 'devices',
    columns: [
      { header: 'NAME', paths: ['name'] },
      { header: 'TYPE', paths: ['device_type'] },
      { header: 'REGISTERED', paths: ['registered'] },
      { header: 'USERNAME', paths: ['username'] },
      { header: 'OWNER', paths: ['owner_id'], show: 'id', refers: 'users' },
      { header: 'ID', paths: ['id'], show: 'id' },
    ],
  };
}

async function* withStatus(
  all: AsyncIterable<JsonObject>,
  registered: ReadonlySet<unknown>,
): AsyncIterable<JsonObject> {
  for await (const device of all) {
    const instead = without.get(String(device.device_type));
    const isDisabled = device.enabled === false;
    const word = registered.has(device.id) ? 'yes' : isDisabled ? 'no: disabled' : (instead ?? 'no');
    yield { ...device, registered: word };
  }
}
