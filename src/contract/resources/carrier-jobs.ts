import { freeObject, integer, text, texts } from '../fields.ts';
import { collection } from '../operations.ts';
import { resource } from '../resource.ts';
import * as shared from '../structures.ts';
import { carrierFacts } from './carriers.ts';
import { monthRange } from './ledgers.ts';

const { section } = carrierFacts;
const made = { readOnly: true } as const;

export const carrier_jobs = resource({
  name: 'carrier_jobs',
  singular: 'carrier job',
  summary: 'Jobs that bring the numbers of a carrier into an account (resources/jobs)',
  commandWords: ['carriers', 'jobs'],
  order: 151,
  idParameter: 'job_id',
  section,
  doc: 'A job',
  fields: () => ({
    id: shared.id,
    name: text('Name', { option: true, convention: { minLength: 1, maxLength: 128 } }),
    resource_id: text('Carrier that the numbers come from', { option: true, ref: 'carriers' }),
    numbers: texts('Numbers, with + and country', { dialled: true, convention: { minItems: 1 } }),
    status: text('pending, running or complete', made),
    timestamp: integer('When it was asked for, in Gregorian seconds', { ...made, shownAs: 'moment' }),
    success: freeObject('Numbers that are there now', made),
    errors: freeObject('Numbers that are not, with the reason', made),
  }),
  required: [{ fields: ['numbers', 'resource_id'], on: ['create'], source: 'convention' }],
  columns: [
    { header: 'CREATED', paths: ['timestamp'], show: 'time' },
    { header: 'NAME', paths: ['name'], sparse: true },
    { header: 'STATUS', paths: ['status'] },
    { header: 'DONE', paths: ['success'], show: 'count' },
    { header: 'FAILED', paths: ['errors'], show: 'count' },
    { header: 'ID', paths: ['id'] },
  ],
  absent: {
    manifests: 'A job is no setting',
    find: 'The numbers themselves are searched',
    orphans: 'A job tells of what is gone since',
    page: 'A job is no setting',
    trial: 'numbers would be made',
  },
  operations: [
    collection({
      path: '/accounts/{account_id}/resources/jobs',
      without: ['update', 'patch', 'delete'],
      except: { list: { query: monthRange } },
    }),
  ],
});
