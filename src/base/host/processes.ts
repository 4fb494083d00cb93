import fs from 'node:fs';
import { dirname, join } from 'node:path';
import {
  runAttached,
  runForText,
  runTelctl,
  startDetached,
  startPager,
  startQuietly,
  startTelctl,
} from './programs.ts';
import { passSignals, signalNumber } from './signals.ts';

/** Keeps warnings of Node.js itself, such as that a module is experimental, away from stderr. */
function muteWarnings(): void {
  process.removeAllListeners('warning');
}

/** Tells whether this Node.js has the database of the sandbox: early releases of a line may lack it. */
const hasDatabase = (): boolean => process.getBuiltinModule('node:module').isBuiltin('node:sqlite');

/** Tells whether a process with this id lives. One that ended, and that its parent has not heard of, does not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The words that Linux has for a process, from its state on; `undefined` elsewhere, and where there is none. */
function statOf(pid: number): readonly string[] | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const facts = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name, which may hold anything.
    return facts.slice(facts.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Tells of Linux whether a process has ended; in containers often nobody takes note of it. */
const isZombie = (pid: number): boolean => statOf(pid)?.[0] === 'Z';

/** The machine as long as it runs, and the container: their processes have numbers of their own. */
function bootOf(): string | undefined {
  try {
    const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${fs.readlinkSync('/proc/self/ns/pid')}`.replaceAll(/[^0-9a-f]/g, '');
  } catch {
    return undefined;
  }
}

/** Position of the time at which a process began, counted from its state. */
const beganAt = 19;

/**
 * A word by which no other process is known, on whatever machine: number, begin, machine. `undefined` where the system does
 * not tell, and for a process that has ended.
 */
function identityOf(pid: number): string | undefined {
  if (pid !== process.pid) return readIdentity(pid);
  own ??= readIdentity(pid);
  return own;
}

/** This process's own, which each change that is recorded asks for. */
let own: string | undefined;

function readIdentity(pid: number): string | undefined {
  const stat = statOf(pid);
  const boot = bootOf();
  if (stat === undefined || stat[0] === 'Z' || boot === undefined) return undefined;
  return `${pid}.${stat[beganAt] ?? ''}.${boot}`;
}

/** True for the identity of a process of this machine that has ended. Nothing is known of those of other machines. */
function hasEnded(identity: string): boolean {
  const [pid, , boot] = identity.split('.');
  return boot !== undefined && boot === bootOf() && identityOf(Number(pid)) !== identity;
}

/** Asks a process to end. False where there was none. */
function askToEnd(pid: number, signal: NodeJS.Signals = 'SIGTERM'): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/** Collects young objects sooner: a stream of a million records needs half the memory in the same time. */
function keepHeapSmall(): void {
  for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=10', '--optimize-for-size'])
    process.getBuiltinModule('node:v8').setFlagsFromString(flag);
}

/** Other processes as the rest of telctl uses them. */
export const processes = {
  pid: process.pid,
  machine: (): string => process.getBuiltinModule('node:os').hostname(),
  nodeVersion: process.versions.node,
  hasDatabase,
  manualPages,
  runAttached,
  passSignals,
  startPager,
  startTelctl,
  runTelctl,
  runForText,
  /** The same for what a manifest asks for: some doors close it. */
  runForManifest: runForText,
  startQuietly,
  startDetached,
  isAlive,
  identityOf,
  hasEnded,
  askToEnd,
  signalNumber,
  muteWarnings,
  keepHeapSmall,
};

export type Processes = typeof processes;

/**
 * The manual pages that telctl ships, by file name: from inside the executable where it is one file, else from beside
 * its program. None in a checkout that was not built.
 */
function manualPages(): ReadonlyMap<string, string> {
  const sea = process.getBuiltinModule('node:sea');
  if (sea.isSea()) return new Map(sea.getAssetKeys().map((name) => [name, sea.getAsset(name, 'utf8')]));
  const folder = join(dirname(fs.realpathSync(process.argv[1] ?? '.')), '..', 'dist', 'man');
  if (!fs.existsSync(folder)) return new Map();
  return new Map(fs.readdirSync(folder).map((name) => [name, fs.readFileSync(join(folder, name), 'utf8')]));
}
