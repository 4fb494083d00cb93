import { freeObject, integer, list, openObject, text } from '../fields.ts';
import { collection, resource, value } from '../resource.ts';
import * as shared from '../structures.ts';

const path = '/accounts/{account_id}/resource_selectors';

const ruleFields = (rules: { readonly option?: true } = {}) => ({
  name: text('Name', rules),
  resource: text('Resource to choose', rules),
  selector: text('Property to compare', rules),
  value: text('Value to match', rules),
  start_time: integer('Valid from, in Gregorian seconds', { shownAs: 'moment', ...rules }),
  stop_time: integer('Valid until, in Gregorian seconds', { shownAs: 'moment', ...rules }),
});

export const selectors = resource({
  name: 'selectors',
  singular: 'selector',
  summary: 'Rules that choose resources for calls',
  order: 160,
  naturalKeys: ['name'],
  section: 'Resources and their fields, Resource selector rule',
  listedIn: 'Endpoints, Account resources',
  doc: 'A resource selector rule',
  fields: () => ({
    id: shared.id,
    ...ruleFields({ option: true }),
  }),
  required: [{ fields: ['name', 'resource', 'selector'], on: ['update'], source: 'convention' }],
  columns: ['name', 'resource', 'selector', 'value', 'id'],
  sections: [
    { order: 180 },
    { name: 'selector_rules', shape: 'one', order: 60, calls: { get: 'rules', replace: 'update-rules' } },
  ],
  absent: { find: 'Rules of carriers do not refer to records of the account' },
  operations: [
    {
      rules: { route: `GET ${path}/rules`, source: 'specification', summary: 'Show the rules' },
      'update-rules': {
        route: `POST ${path}/rules`,
        section: 'Conventions, resource selectors',
        body: value(
          openObject(
            {
              ...ruleFields(),
              rules: list(freeObject('One step, by name, with its options'), 'Steps, in order', {
                source: 'convention',
              }),
            },
            'The rules',
          ),
        ),
        summary: 'Replace the rules',
      },
    },
    collection({ path, without: ['create', 'patch'] }),
  ],
});
