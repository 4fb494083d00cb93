// Loaded into a telctl by `node --import`. Records its requests and file changes, and kills it at one of them.
import { subscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { DRILL_TRACE: trace, DRILL_KILL: kill, DRILL_ROOT: root = '/' } = process.env;
// Child processes of telctl are neither recorded nor killed.
delete process.env.DRILL_TRACE;
delete process.env.DRILL_KILL;
delete process.env.DRILL_ROOT;
delete process.env.NODE_OPTIONS;

const { writeSync, openSync } = fs;

if (trace) {
  const out = openSync(trace, 'a');
  const seen = new Map();

  /** Records an event before it takes place. Kills the process if the drill selected this event. */
  const event = (name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    const label = `${name} #${count}`;
    if (label === kill) {
      writeSync(out, `KILLED BEFORE ${label}\n`);
      process.kill(process.pid, 'SIGKILL');
    }
    writeSync(out, `${label}\n`);
  };

  /**
   * Returns a path without the parts that differ between runs: random names of drafts, process ids, ids and digests.
   */
  const plain = (path) =>
    path
      .replace(/\.[0-9a-f]{12}\.tmp$/, 'draft')
      .replaceAll(/[0-9a-f]{8,}(?:-[0-9a-f-]+)?/g, '*')
      .replaceAll(/\d+/g, 'N');

  const handles = new Map();
  const isOurs = (path) =>
    typeof path === 'string' && path.startsWith(`${root}/`) && !path.includes('/.cache/');
  const nameOf = (path) => plain(path.slice(root.length + 1)).replace('home/.local/state/telctl/', 'state ');

  fs.openSync = (path, flags, ...rest) => {
    const writes =
      typeof flags === 'number'
        ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0
        : !/^r$/.test(flags ?? 'r');
    // An empty draft has no effect on others.
    if (writes && isOurs(path) && !path.endsWith('.tmp')) event(`open ${nameOf(path)}`);
    const handle = openSync(path, flags, ...rest);
    if (writes && isOurs(path)) handles.set(handle, path);
    else handles.delete(handle);
    return handle;
  };
  fs.writeSync = (handle, ...rest) => {
    const path = handles.get(handle);
    if (path !== undefined) event(`write ${nameOf(path)}`);
    return writeSync(handle, ...rest);
  };
  const changing = {
    renameSync: ([, to]) => to,
    rmSync: ([path]) => (fs.existsSync(path) ? path : undefined),
    unlinkSync: ([path]) => path,
    rmdirSync: ([path]) => path,
    writeFileSync: ([path]) => path,
    appendFileSync: ([path]) => path,
    rename: ([, to]) => to,
    mkdir: ([path]) => path,
    rmdir: ([path]) => path,
    unlink: ([path]) => path,
  };
  for (const [name, pathOf] of Object.entries(changing)) {
    const real = fs[name];
    fs[name] = (...args) => {
      const path = pathOf(args);
      if (isOurs(path)) event(`${name.replace('Sync', '')} ${nameOf(path)}`);
      return real(...args);
    };
  }
  syncBuiltinESMExports();

  const requestName = ({ method, path }) => `${method} ${plain(path.replace(/\?.*$/, ''))}`;
  subscribe('undici:request:create', ({ request }) => event(`send ${requestName(request)}`));
  subscribe('undici:request:headers', ({ request }) => event(`reply to ${requestName(request)}`));
}
