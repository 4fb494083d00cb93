/** SSO providers that a fresh sandbox knows. Their addresses lead nowhere: whoever tries single sign-on gives them others. */
export const seededProviders = [
  {
    id: 'google',
    provider_type: 'oauth',
    auth_module: 'oauth',
    auth_url: 'https://accounts.google.example/auth',
    access_code_url: 'https://accounts.google.example/token',
    discovery: 'https://accounts.google.example/.well-known/openid-configuration',
    issuer_domains: ['accounts.google.example'],
  },
  {
    id: 'office365',
    provider_type: 'oauth',
    auth_module: 'oauth',
    auth_url: 'https://login.office365.example/authorize',
    access_code_url: 'https://login.office365.example/token',
    discovery: 'https://login.office365.example/.well-known/openid-configuration',
    issuer_domains: ['login.office365.example'],
  },
  {
    id: 'duo',
    provider_type: 'multi_factor',
    enabled: false,
    name: 'Duo',
    provider_name: 'duo',
  },
] as const;
