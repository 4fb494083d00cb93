import type { Project } from './project.mts';

/** Platforms of release files, with the names of Node.js. */
export const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'] as const;
export type Platform = (typeof platforms)[number];

/** Returns the current platform. Linux without the GNU C library has its own. */
export function currentPlatform(): string {
  const { header } = Object(process.report.getReport());
  const isMusl = process.platform === 'linux' && header.glibcVersionRuntime === undefined;
  return `${process.platform}-${process.arch}${isMusl ? '-musl' : ''}`;
}

/** Returns the base name of a release's folder and files for a platform. */
export const archiveBaseName = (version: string, platform: string): string => `telctl-${version}-${platform}`;

export const archiveFor = (version: string, platform: string): string =>
  `${archiveBaseName(version, platform)}.${platform.startsWith('win32') ? 'zip' : 'tar.gz'}`;

/** SHA-256 of archives, in hexadecimal. */
export type Hashes = Readonly<Record<Platform, string>>;

const addressOf = ({ repository, version }: Project, platform: Platform): string =>
  `${repository}/releases/download/v${version}/${archiveFor(version, platform)}`;

/** Homebrew does not allow a period at the end of a description. */
const withoutPeriod = (description: string): string => description.replace(/\.$/, '');

/** Returns the Homebrew formula of a release. */
export function formula(project: Project, hashes: Hashes): string {
  const source = (platform: Platform): string =>
    `      url "${addressOf(project, platform)}"\n      sha256 "${hashes[platform]}"`;
  return `class Telctl < Formula
  desc ${JSON.stringify(withoutPeriod(project.description))}
  homepage "${project.homepage}"
  version "${project.version}"
  license "${project.license}"

  on_macos do
    on_arm do
${source('darwin-arm64')}
    end
    on_intel do
${source('darwin-x64')}
    end
  end

  on_linux do
    on_arm do
${source('linux-arm64')}
    end
    on_intel do
${source('linux-x64')}
    end
  end

  def install
    bin.install "telctl"
    man1.install Dir["man/*.1"]
    man5.install Dir["man/*.5"]
    bash_completion.install "completions/telctl.bash" => "telctl"
    zsh_completion.install "completions/_telctl"
    fish_completion.install "completions/telctl.fish"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/telctl --version").chomp
  end
end
`;
}

/** Returns the Scoop manifest of a release. */
export function scoopManifest(project: Project, hashes: Hashes): string {
  const { version, description, homepage, license, repository } = project;
  const latest = '$version';
  return `${JSON.stringify(
    {
      version,
      description,
      homepage,
      license,
      architecture: {
        '64bit': { url: addressOf(project, 'win32-x64'), hash: hashes['win32-x64'] },
      },
      extract_dir: archiveBaseName(version, 'win32-x64'),
      bin: 'telctl.exe',
      checkver: { url: `${repository}/releases/latest`, regex: '/releases/tag/v([\\d.]+)' },
      autoupdate: {
        architecture: { '64bit': { url: addressOf({ ...project, version: latest }, 'win32-x64') } },
        extract_dir: archiveBaseName(latest, 'win32-x64'),
      },
    },
    null,
    4,
  )}\n`;
}
