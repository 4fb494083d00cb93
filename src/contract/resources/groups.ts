import { integer, mapOf, openObject, text, texts } from '../fields.ts';
import { collection, resource } from '../resource.ts';
import * as shared from '../structures.ts';

const ours = { source: 'convention' } as const;
export const groups = resource({
  name: 'groups',
  singular: 'group',
  summary: 'Users and devices that ring together',
  order: 30,
  takesOwnId: true,
  naturalKeys: ['name'],
  section: 'Resources and their fields, Group',
  listedIn: 'Endpoints, Account resources',
  doc: 'A group',
  fields: () => ({
    id: shared.id,
    name: shared.name,
    endpoints: mapOf(
      openObject(
        {
          type: text('Type of the record', { ...ours, convention: { enum: ['user', 'device', 'group'] } }),
          weight: integer('Order among the members', ours),
        },
        'A member',
      ),
      'Members by id',
      { keyRef: 'type' },
    ),
    flags: shared.flagWords,
    music_on_hold: shared.musicOnHold(128),
    features: texts('Enabled features', { ...ours, readOnly: true }),
  }),
  required: [{ fields: ['name', 'endpoints'], on: ['create', 'update'], source: 'convention' }],
  lines: [
    {
      flag: 'members',
      value: 'NAME,NAME',
      fields: ['endpoints'],
      doc: 'Users, devices and groups, by name: alice,bob,"Front desk"',
    },
  ],
  columns: ['name', { header: 'MEMBERS', paths: ['endpoints'], show: 'count' }, 'id'],
  sections: [{ order: 100 }],
  listFields: ['name', 'features', 'endpoints', 'flags'],
  inLists: { endpoints: integer('Number of members', ours) },
  operations: [collection({ documented: ['get'] })],
});
