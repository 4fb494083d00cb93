import type { Step } from '../plan.ts';

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
