/** Whose permission files are known. */
export const permissionClients = ['claude-code', 'opencode'] as const
export type PermissionClient = (typeof permissionClients)[number]
