import type { Hook } from './hook.ts'

/** Every hook by its command-line name. Loaded when called: each runs in a process that the client waits for. */
export const hooks = {
  'block-builtin': async (payload, ports) =>
    (await import('./block-builtin.ts')).blockBuiltin(payload, ports),
  protect: async (payload, ports) => (await import('./protect.ts')).protect(payload, ports),
  'pre-compact': async (payload, ports) => (await import('./pre-compact.ts')).preCompact(payload, ports),
  'session-start': async (payload, ports) =>
    (await import('./session-start.ts')).sessionStart(payload, ports),
  scrub: async (payload, ports) => (await import('./scrub.ts')).scrub(payload, ports),
  // Not for a client event, but for output of the client's shell.
  'scrub-text': async (payload, ports) => (await import('./scrub-text.ts')).scrubText(payload, ports),
} as const satisfies Record<string, Hook>

export function isHookName(name: string): name is keyof typeof hooks {
  return Object.hasOwn(hooks, name)
}
