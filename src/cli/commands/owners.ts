export const ownerOptions = {
  user: {
    value: 'USER',
    doc: 'Of this user, by id or username',
    completes: { resource: 'users' },
    into: 'path.user_id',
    excludes: ['device'],
  },
  device: {
    value: 'DEVICE',
    doc: 'Of this device, by id or name',
    completes: { resource: 'devices' },
    into: 'path.device_id',
  },
} as const;
