type Variables = Readonly<Record<string, string | undefined>>;

interface ProgramEnvironment {
  readonly variables: Variables;
}

interface Environment {
  readonly env: Variables;
  readonly withheld: { has(name: string): boolean };
}

/** telctl's variables that contain a secret or the address of a state. */
const secretVariables = /^TELCTL_(?:.+_)?(?:TOKEN|KEY|PASSWORD|SECRET|STATE|NOTIFY_URL)$/i;

/**
 * Returns the variables for a program that is not telctl. Removes telctl's secrets, addresses of states, and
 * variables that a manifest read, because those are probably secrets of the service.
 */
export const programEnvironment = ({ env, withheld }: Environment): ProgramEnvironment => ({
  variables: Object.fromEntries(
    Object.entries(env).filter(([name]) => !secretVariables.test(name) && !withheld.has(name)),
  ),
});

export const sandboxEnvironment = (host: Environment, own: Variables): ProgramEnvironment => ({
  variables: { ...programEnvironment(host).variables, ...own },
});

/** Includes telctl's credentials. */
export const ownEnvironment = (env: Variables): ProgramEnvironment => ({ variables: env });
