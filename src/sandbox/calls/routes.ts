import type { ControlRoutes } from '../control/routes.ts';

/** Routes that simulate calls, messages and faxes. */
export const callRoutes: ControlRoutes = () => [];
