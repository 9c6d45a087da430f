/** Clients whose permission files are supported. */
export const permissionClients = ['claude-code', 'opencode'] as const
export type PermissionClient = (typeof permissionClients)[number]
