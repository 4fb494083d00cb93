import type { ControlRoute } from '../control/routes.ts';
import type { Services } from '../parts.ts';

/** Routes that let calls, messages and faxes come. */
export const callRoutes = (_services: Services): readonly ControlRoute[] => [];
