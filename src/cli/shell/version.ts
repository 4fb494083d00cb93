/** Put in by the build, from package.json. */
declare const TELCTL_VERSION: string | undefined;

/** The version of telctl; run from the source, it has none. */
export const version: string = typeof TELCTL_VERSION === 'string' ? TELCTL_VERSION : 'development';
