import type { Step } from '../plan.ts';

/** What says of a step whose it is, in a plan and in a journal. */
type Owned = Pick<Step, 'key' | 'releases' | 'completes'>;

/** Key of the object that a step is about. */
export const objectKey = ({ key, releases, completes }: Owned): string => releases ?? completes ?? key;

/** Whether a step is that of an object, not one that makes room for others or brings late fields: those count as one. */
export const isWholeStep = ({ releases, completes }: Owned): boolean =>
  releases === undefined && completes === undefined;

/** The step that deletes an object; `notes` are more to say of it. */
export const deletion = (
  object: Pick<Step, 'key' | 'kind' | 'name' | 'label'> & { readonly id: string },
  notes: readonly string[] = [],
): Step => ({
  ...object,
  action: 'delete',
  changes: [],
  by: 'delete',
  after: [],
  notes,
  managed: {},
  protect: false,
});
