import { api } from './api.ts';
import { charges } from './charges.ts';
import type { Room } from './fault.ts';
import { guards } from './guards.ts';
import { plan } from './plan.ts';
import { sandbox } from './sandbox.ts';
import { session } from './session.ts';
import { state } from './state.ts';

/** All faults that are tried, by part. */
export const rooms: Readonly<Record<string, Room>> = { api, session, state, plan, charges, sandbox, guards };
