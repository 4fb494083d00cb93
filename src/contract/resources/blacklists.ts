import { flag, freeObject, mapOf } from '../fields.ts';
import { collection, resource } from '../resource.ts';
import * as shared from '../structures.ts';

/** A blacklist refuses callers before any callflow, if `blacklists` of the account contains it (Conventions). */
export const blacklists = resource({
  name: 'blacklists',
  singular: 'blacklist',
  summary: 'Callers to refuse; an account lists its active blacklists',
  order: 74,
  takesOwnId: true,
  naturalKeys: ['name'],
  section: 'Conventions, lists and blacklists',
  doc: 'A blacklist',
  fields: () => ({
    id: shared.id,
    name: shared.name,
    numbers: mapOf(freeObject('Notes'), 'Numbers to refuse', {
      dialled: true,
      convention: { default: {} },
    }),
    should_block_anonymous: flag('Refuse callers without a number', { option: true }),
    flags: shared.flagWords,
  }),
  required: [{ fields: ['name'], on: ['create', 'update'], source: 'convention' }],
  columns: ['name', 'flags', 'id'],
  sections: [{ order: 15 }],
  listFields: ['name', 'flags'],
  operations: [collection()],
});
