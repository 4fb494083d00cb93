import { join } from 'node:path';
import { type NextStep, nextStep } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { errorMessage } from '../../../base/wording.ts';
import { proxySetting } from '../../../client/api/transport.ts';
import { homePath } from '../../../client/session/secret-sources.ts';
import { maskUrl } from '../../../contract/secrets.ts';
import type { Context } from '../../command/context.ts';

export interface DoctorCheck {
  readonly check: string;
  readonly result: 'ok' | 'warn' | 'fail';
  readonly finding: string;
  readonly remedy?: string;
}

export const ok = (check: string, finding: string): DoctorCheck => ({ check, result: 'ok', finding });

const problemCheck =
  (result: DoctorCheck['result']) =>
  (check: string, finding: string, remedy: string | NextStep): DoctorCheck => ({
    check,
    result,
    finding,
    remedy: String(remedy),
  });
export const warn = problemCheck('warn');
export const fail = problemCheck('fail');

export function checkNode({ processes }: Pick<Host, 'processes'>): DoctorCheck {
  const { nodeVersion } = processes;
  const finding = `Node.js ${nodeVersion}.`;
  return processes.hasDatabase()
    ? ok('node', finding)
    : warn('node', `${finding} It has no database for the sandbox.`, 'Install Node.js 24 or newer.');
}

/** Checks that the folders are readable, and private to their owner except on Windows. */
export function checkFolders(host: Host): readonly DoctorCheck[] {
  const { files, folders, platform } = host;
  const { config, cache, state } = folders;
  const shown = homePath(host, config);
  const closed = [config, cache, state].filter((folder) => !files.isWritable(folder));
  if (closed.length > 0) {
    const paths = closed.map((folder) => homePath(host, folder));
    return [
      fail(
        'folders',
        `telctl cannot write to ${paths.join(', ')}, so it cannot store sign-ins, ledgers or sandboxes.`,
        'Make them writable for your user, or set HOME to a writable folder.',
      ),
    ];
  }
  if (files.kindOf(config) === undefined)
    return [ok('folders', `No files are stored yet. They will be in ${shown}.`)];
  try {
    const secrets = [config, join(config, 'credentials'), join(config, 'tokens')];
    const open = secrets
      .flatMap((folder) => [folder, ...files.list(folder).map((name) => join(folder, name))])
      .filter((path) => platform !== 'win32' && ((files.modeOf(path) ?? 0) & 0o077) !== 0);
    const [first] = open;
    for (const folder of [cache, state]) files.list(folder);
    if (first === undefined) return [ok('folders', `${shown} is private to your user.`)];
    const paths = open.map((path) => homePath(host, path));
    return [warn('folders', `Other users can read ${paths.join(', ')}.`, `chmod -R go= ${shown}`)];
  } catch (error) {
    return [fail('folders', `telctl's folders cannot be read: ${errorMessage(error)}.`, `ls -ld ${shown}`)];
  }
}

/** Checks that the files of earlier runs can be read: ledgers, the log and stored events. */
export function checkState(host: Host): DoctorCheck {
  const { files, folders } = host;
  const kept = [
    ['ledgers', 'ledgers'],
    ['runs', 'log'],
    ['events', 'events'],
  ] as const;
  const counts = kept.map(([name, folder]) => {
    try {
      const paths = filesBelow(host, join(folders.state, folder), 2);
      for (const path of paths)
        if (path.endsWith('.json')) JSON.parse(files.readLargeText(path)?.text ?? '{}');
      return { name, count: paths.length };
    } catch (error) {
      return { name, trouble: errorMessage(error) };
    }
  });
  const bad = counts.find(({ trouble }) => trouble !== undefined);
  const shown = homePath(host, folders.state);
  if (bad)
    return fail(
      'state',
      `The ${bad.name} in ${shown} cannot be read: ${bad.trouble}.`,
      'Repair or move the files that it names. telctl does not change them.',
    );
  const words = counts.map(({ name, count }) => `${count} ${count === 1 ? name.slice(0, -1) : name}`);
  return ok('state', `${words.join(', ')} in ${shown}.`);
}

function filesBelow(host: Host, folder: string, depth: number): readonly string[] {
  return host.files.list(folder).flatMap((name) => {
    const path = join(folder, name);
    if (host.files.kindOf(path) !== 'folder') return [path];
    return depth > 0 ? filesBelow(host, path, depth - 1) : [];
  });
}

/** Checks the proxy, additional certificate authorities, and certificate verification. */
export const checkNetwork = ({
  host,
  settings,
}: Pick<Context, 'host' | 'settings'>): readonly DoctorCheck[] => [
  checkProxy(host),
  checkCertificates(host, settings.insecure.value, settings.caFile.value),
];

function checkProxy({ env }: Host): DoctorCheck {
  const proxy = proxySetting({ protocol: 'https:' }, env);
  if (!proxy) return ok('proxy', 'No proxy is set.');
  if (/^https?:\/\//.test(proxy))
    return ok('proxy', `${maskUrl(proxy)}, except for addresses on this machine.`);
  return fail(
    'proxy',
    'The proxy of HTTPS_PROXY, HTTP_PROXY or ALL_PROXY is not an http or https address.',
    'Set the complete address: http://proxy.example:3128',
  );
}

function checkCertificates({ files }: Host, insecure: boolean, caFile: string | undefined): DoctorCheck {
  const remedy = 'Pass the authority with --ca-file FILE instead.';
  if (insecure) return warn('certificates', 'Certificates are not verified (--insecure).', remedy);
  if (caFile === undefined) return ok('certificates', 'Verified with the authorities that Node.js trusts.');
  return readError(files, caFile)?.includes('-----BEGIN CERTIFICATE-----')
    ? ok('certificates', `Verified with the authorities that Node.js trusts and those in ${caFile}.`)
    : fail(
        'certificates',
        `${caFile} cannot be read or has no PEM certificate.`,
        'Pass another file with --ca-file.',
      );
}

function readError(files: Host['files'], path: string): string | undefined {
  try {
    return files.readLargeText(path)?.text;
  } catch {
    // Reported as "cannot be read".
    return undefined;
  }
}

const places: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'bash',
    [
      '.bashrc',
      '.bash_profile',
      '.profile',
      '.local/share/bash-completion/completions/telctl',
      '.bash_completion',
    ],
  ],
  ['zsh', ['.zshrc', '.zfunc/_telctl', '.zsh/completions/_telctl', '.oh-my-zsh/completions/_telctl']],
  ['fish', ['.config/fish/completions/telctl.fish', '.config/fish/config.fish']],
]);

export function checkCompletion({ env, files }: Pick<Host, 'env' | 'files'>): DoctorCheck {
  const shell = env.SHELL?.split('/').at(-1) ?? '';
  const known = places.get(shell);
  if (known === undefined || !env.HOME)
    return ok('completion', `Unknown shell. ${nextStep`completion --help`} lists the supported shells.`);
  const home = env.HOME;
  return known.some((name) => readError(files, join(home, name))?.includes('telctl'))
    ? ok('completion', `${shell} completes telctl.`)
    : warn(
        'completion',
        `The usual files of ${shell} do not load the completion of telctl.`,
        nextStep`completion ${shell} --help`,
      );
}
