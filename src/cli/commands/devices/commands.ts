import type { JsonObject } from '../../../base/json.ts';
import { device_access_lists } from '../../../contract/resources/access-lists.ts';
import { devices } from '../../../contract/resources/devices.ts';
import { device_rate_limits } from '../../../contract/resources/rate-limits.ts';
import { type Command, defineCommand, wholeOptions } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { argumentFor, genericCommands, switchCommands } from '../generic/commands.ts';
import { inputOptions } from '../generic/input-options.ts';
import { flattened } from '../generic/list.ts';
import { callCommand, quickcallCommand } from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

const device = argumentFor(devices, 'DEVICE');

export const deviceArguments = { device } as const;

export const provisionOptions = {
  template: {
    value: 'FILE',
    doc: 'Mustache template of a phone, such as <user>{{username}}</user>: name, display_name, extension, username, password, realm, mac',
  },
  out: {
    value: 'FILE',
    doc: 'Write it to this new file (0600); with --reveal the password as well',
    does: ['writes-files'] as const,
  },
} as const;

export const devicesCommands: readonly Command[] = [
  ...genericCommands(devices, ['devices'], ['create']),
  {
    path: ['devices', 'create'],
    summary: 'Create a device',
    description:
      'A phone registers by a SIP user name and a password, which the service never makes: --generate does, where the record has none, and prints them this once.',
    arguments: {},
    get options() {
      const [generic] = genericCommands(devices, ['devices']).filter(({ path }) => path[1] === 'create');
      return wholeOptions({
        ...(generic?.options ?? inputOptions(devices)),
        generate: {
          does: ['sign-in', 'shows-secrets'],
          doc: 'Make the SIP user name and password of one device, and print them this once',
          excludes: ['existing'],
        },
        credentials: {
          value: 'FILE',
          doc: 'Make SIP user names and passwords where records have none, in a new file (0600): name,username,password,realm',
          does: ['sign-in', 'writes-files'],
          needs: ['file'],
          excludes: ['generate', 'existing'],
        },
      });
    },
    effect: operationFor(devices, 'create').effect,
    examples: [
      {
        line: 'telctl devices create --name desk --owner alice --mac 00:04:F2:AB:7E:FD --generate',
        doc: 'A desk phone, with credentials that are shown once',
      },
      { line: 'telctl devices create -f devices.yaml', doc: 'From a file; a list creates many' },
      {
        line: 'telctl devices create -f phones.csv --credentials secrets.csv',
        doc: 'With new SIP passwords',
        file: 'Name,Owner,MAC\nAnn desk,ann.archer,00:04:f2:ab:7e:01',
      },
    ],
    operations: ['devices.create'],
    shows: 'devices',
    load: async () => (await import('./create.ts')).createDevice,
  },
  ...switchCommands(devices, 'desk', {
    enable: 'Let a phone register, call and be called again',
    disable: 'Let a phone neither register nor call nor be called',
  }),
  ...genericCommands(device_access_lists, ['devices', 'access-lists']),
  ...genericCommands(device_rate_limits, ['devices', 'rate-limits']),
  defineCommand({
    path: ['devices', 'provision'],
    summary: 'Show or write what sets up a phone: text and a QR code, or a template that is filled in',
    description:
      'The QR code holds the address of the phone, which softphones read with a camera. The password is shown nowhere: --reveal --out FILE writes it, as text and in the code, or where a template asks for it. Values are escaped for XML, and a template can read no file.',
    arguments: deviceArguments,
    options: provisionOptions,
    does: ['shows-secrets'],
    effect: 'read',
    examples: {
      'telctl devices provision desk': 'What to type into it, and a code',
      'telctl devices provision desk --reveal --out desk.txt': 'With the password',
      'telctl devices provision desk --template phone.xml --reveal --out 0004f2ab7efd.xml':
        'As the phone reads it',
    },
    operations: ['devices.get', 'users.get', 'accounts.get'],
    load: async () => (await import('./provision.ts')).provisionDevice,
  }),
  defineCommand({
    path: ['devices', 'status'],
    summary: 'List the devices, and which of them are registered',
    description:
      'Types that only forward calls, and those that are called by an address, never register: they say so.',
    effect: 'read',
    examples: { 'telctl devices status': 'Which phones are there' },
    operations: ['devices.status', 'devices.list'],
    load: async () => deviceStatus,
  }),
  callCommand({
    summary: 'Ask a phone to fetch its settings, for which it may restart',
    operation: operationFor(devices, 'sync'),
    arguments: { device },
    examples: { 'telctl devices sync desk': 'After its keys were changed' },
    says: 'Asked device {device} to fetch its settings.',
  }),
  callCommand({
    summary: 'Send a NOTIFY to a phone',
    description: 'The service says that it was sent, not that the phone was there to hear it.',
    operation: operationFor(devices, 'notify'),
    arguments: { device },
    options: {
      event: { value: 'EVENT', doc: 'Event that it is told (default: check-sync)', into: 'nowhere' },
      contentType: {
        value: 'TYPE',
        doc: 'Content type of the text that is sent along',
        needs: ['body-file'],
        into: 'nowhere',
      },
      bodyFile: {
        value: 'FILE',
        doc: 'Text that is sent along; - is standard input',
        needs: ['content-type'],
        into: 'nowhere',
      },
    },
    async data(_, { host }, { event = 'check-sync', contentType, bodyFile }) {
      if (bodyFile === undefined) return { data: { event: String(event) } };
      const { readInput } = await import('../../../engine/input/read-input.ts');
      const { text } = await readInput(host, String(bodyFile));
      return { data: { event: String(event), body: { content_type: String(contentType), data: text } } };
    },
    examples: { 'telctl devices notify desk --event check-sync': 'The event of most phones' },
    says: (_, { device, event = 'check-sync' }) => `Sent NOTIFY ${event} to device ${device}.`,
  }),
  quickcallCommand('device', device, {
    path: ['devices', 'quickcall'],
    summary: 'Ring a phone, and then call a number in its name',
    examples: { 'telctl devices quickcall desk +15551230009': 'Waits until somebody takes the phone' },
  }),
];

/** Types that have no registration, with what stands in its place (Conventions, Devices). */
const without = new Map([
  ['cellphone', 'forwarded'],
  ['landline', 'forwarded'],
  ['sip_uri', 'by its address'],
]);

/** Lists the devices of an account with their registration, which the service tells apart from them. */
async function deviceStatus(_: Record<never, never>, context: Context): Promise<ListResult> {
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
