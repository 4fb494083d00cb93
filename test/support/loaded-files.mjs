// Loaded into a process by --import: writes the name of each file of dist that it loads to the file of LOADED_FILES.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, next) {
    const [, name] = /\/dist\/(.*)$/.exec(url) ?? [];
    if (name !== undefined) appendFileSync(process.env.LOADED_FILES ?? '', `${name}\n`);
    return next(url, context);
  },
});
