type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of a program that is started, as `host` takes them. */
interface ProgramEnvironment {
  readonly variables: Variables;
}

/** Variables of this process, and the names of those that no program gets. */
interface Environment {
  readonly env: Variables;
  readonly withheld: { has(name: string): boolean };
}

/** Variables of telctl that hold a secret, or the address of a state. */
const ofTelctlAlone = /^TELCTL_(?:.+_)?(?:TOKEN|KEY|PASSWORD|SECRET|STATE|NOTIFY_URL)$/i;

/**
 * Returns the variables for a program that is not telctl: without telctl's secrets and addresses of states, and without
 * variables that a manifest read, which are most likely secrets of the service's (Interface 8, What a command does).
 */
export const programEnvironment = ({ env, withheld }: Environment): ProgramEnvironment => ({
  variables: Object.fromEntries(
    Object.entries(env).filter(([name]) => !ofTelctlAlone.test(name) && !withheld.has(name)),
  ),
});

/** Returns the variables for a command that runs against a sandbox of its own: those that it has, and no others' secrets. */
export const sandboxEnvironment = (host: Environment, own: Variables): ProgramEnvironment => ({
  variables: { ...programEnvironment(host).variables, ...own },
});

/** Returns the variables for telctl itself, which is to speak as this one does. */
export const ownEnvironment = (env: Variables): ProgramEnvironment => ({ variables: env });
