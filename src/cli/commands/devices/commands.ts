import type { JsonObject } from '../../../base/json.ts';
import { device_access_lists } from '../../../contract/resources/access-lists.ts';
import { devices } from '../../../contract/resources/devices.ts';
import { device_rate_limits } from '../../../contract/resources/rate-limits.ts';
import { type Command, completeOptions, defineCommand } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { argumentFor, genericCommands, switchCommands } from '../generic/commands.ts';
import { inputOptions } from '../generic/input-options.ts';
import { flattenPages } from '../generic/list.ts';
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
    doc: 'Write to this new file (mode 0600), with the password if --reveal is set',
    does: ['writes-files'] as const,
  },
} as const;

export const devicesCommands: readonly Command[] = [
  ...genericCommands(devices, ['devices'], ['create']),
  {
    path: ['devices', 'create'],
    summary: 'Create a device',
    description:
      'A phone registers with a SIP user name and password, which the service does not generate. --generate creates them if the record has none, and prints them once.',
    arguments: {},
    get options() {
      const [generic] = genericCommands(devices, ['devices']).filter(({ path }) => path[1] === 'create');
      return completeOptions({
        ...(generic?.options ?? inputOptions(devices)),
        generate: {
          does: ['sign-in', 'shows-secrets'],
          doc: 'Generate the SIP user name and password of one device, and print them once',
          excludes: ['existing'],
        },
        credentials: {
          value: 'FILE',
          doc: 'Generate missing SIP user names and passwords, and write them to a new file (mode 0600): name,username,password,realm',
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
        doc: 'Create a desk phone and print its credentials once',
      },
      { line: 'telctl devices create -f devices.yaml', doc: 'Create one or many devices from a file' },
      {
        line: 'telctl devices create -f phones.csv --credentials secrets.csv',
        doc: 'Create devices with new SIP passwords',
        file: 'Name,Owner,MAC\nAnn desk,ann.archer,00:04:f2:ab:7e:01',
      },
    ],
    operations: ['devices.create'],
    shows: 'devices',
    load: async () => (await import('./create.ts')).createDevice,
  },
  ...switchCommands(devices, 'desk', {
    enable: 'Let a phone register, and make and receive calls again',
    disable: 'Stop a phone from registering, and from making or receiving calls',
  }),
  ...genericCommands(device_access_lists, ['devices', 'access-lists']),
  ...genericCommands(device_rate_limits, ['devices', 'rate-limits']),
  defineCommand({
    path: ['devices', 'provision'],
    summary: 'Show or write the settings of a phone as text and a QR code, or fill in a template',
    description:
      'Softphones scan the QR code, which contains the address of the phone. The password is written only to a file, with --reveal --out FILE. It is then part of the text, the QR code and the template. Values are escaped for XML, and a template cannot read files.',
    arguments: deviceArguments,
    options: provisionOptions,
    does: ['shows-secrets'],
    effect: 'read',
    examples: {
      'telctl devices provision desk': 'Show the settings and a QR code',
      'telctl devices provision desk --reveal --out desk.txt': 'Write the settings with the password',
      'telctl devices provision desk --template phone.xml --reveal --out 0004f2ab7efd.xml':
        'Write the configuration file of the phone',
    },
    operations: ['devices.get', 'users.get', 'accounts.get'],
    load: async () => (await import('./provision.ts')).provisionDevice,
  }),
  defineCommand({
    path: ['devices', 'status'],
    summary: 'List the devices, and show which are registered',
    description:
      'Devices that only forward calls, or that are called by address, do not register and are marked.',
    effect: 'read',
    examples: { 'telctl devices status': 'Show which phones are online' },
    operations: ['devices.status', 'devices.list'],
    load: async () => deviceStatus,
  }),
  callCommand({
    summary: 'Ask a phone to fetch its settings; it may restart',
    operation: operationFor(devices, 'sync'),
    arguments: { device },
    examples: { 'telctl devices sync desk': 'Update the phone after you change its keys' },
    says: 'Asked device {device} to fetch its settings.',
  }),
  callCommand({
    summary: 'Send a NOTIFY to a phone',
    description: 'The service confirms that it sent the event, not that the phone received it.',
    operation: operationFor(devices, 'notify'),
    arguments: { device },
    options: {
      event: { value: 'EVENT', doc: 'Name of the event (default: check-sync)', into: 'nowhere' },
      contentType: {
        value: 'TYPE',
        doc: 'Content type of the body',
        needs: ['body-file'],
        into: 'nowhere',
      },
      bodyFile: {
        value: 'FILE',
        doc: 'File of the body, or - for standard input',
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
    examples: { 'telctl devices notify desk --event check-sync': 'Send the event that most phones support' },
    says: (_, { device, event = 'check-sync' }) => `Sent NOTIFY ${event} to device ${device}.`,
  }),
  quickcallCommand('device', device, {
    path: ['devices', 'quickcall'],
    summary: 'Ring a phone, then connect it to a number',
    examples: { 'telctl devices quickcall desk +15551230009': 'Dial the number when the phone is answered' },
  }),
];

/** Device types that do not register, with the text to show instead (Conventions, Devices). */
const unregisteredTypes = new Map([
  ['cellphone', 'forwarded'],
  ['landline', 'forwarded'],
  ['sip_uri', 'by its address'],
]);

/** The service returns registrations in a separate list. */
async function deviceStatus(_: Record<never, never>, context: Context): Promise<ListResult> {
  const api = await context.api();
  const registered = new Set<unknown>();
  for await (const each of flattenPages(api.pages({ operation: operationFor(devices, 'status') })))
    if (each.registered === true) registered.add(each.device_id);
  const all = api.pages({ operation: operationFor(devices, 'list'), query: { ascending: 'true' } });
  return {
    kind: 'list',
    items: withStatus(flattenPages(all), registered),
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
    const instead = unregisteredTypes.get(String(device.device_type));
    const isDisabled = device.enabled === false;
    const word = registered.has(device.id) ? 'yes' : isDisabled ? 'no: disabled' : (instead ?? 'no');
    yield { ...device, registered: word };
  }
}
