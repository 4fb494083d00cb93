import { installExtensions } from './cli/commands/extension.ts';
import { assistant } from './extensions/assistant/extension.ts';
import { calls } from './extensions/calls/extension.ts';
import { conformance } from './extensions/conformance/extension.ts';
import { fleet } from './extensions/fleet/extension.ts';
import { sandbox } from './extensions/sandbox/extension.ts';

// Each import and its name in the list is one extension. `scripts/check-extensions.mts` builds telctl without each.
installExtensions([assistant, calls, conformance, fleet, sandbox]);
