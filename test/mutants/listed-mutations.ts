import { api } from './api.ts';
import { charges } from './charges.ts';
import { guards } from './guards.ts';
import type { MutationGroup } from './mutation.ts';
import { plan } from './plan.ts';
import { sandbox } from './sandbox.ts';
import { session } from './session.ts';
import { state } from './state.ts';

/** Mutations that were written by hand, by subject. */
export const listedMutations: Readonly<Record<string, MutationGroup>> = {
  api,
  session,
  state,
  plan,
  charges,
  sandbox,
  guards,
};
