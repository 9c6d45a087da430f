/**
 * What a server of another sees of our environment: where things are and what language to speak. Named one by one, so
 * that no key or token of ours gets there by accident.
 */
const passedOn: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'TZ',
  'TMPDIR',
  'LANG',
  'LANGUAGE',
  'LC_ALL',
  'LC_COLLATE',
  'LC_CTYPE',
  'LC_MESSAGES',
  'LC_MONETARY',
  'LC_NUMERIC',
  'LC_TIME',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_DIRS',
  'XDG_CONFIG_HOME',
  'XDG_DATA_DIRS',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  'XDG_STATE_HOME',
]

/** The whole environment of a server: some of ours, and what is declared for it. */
export function environmentFor(
  ours: NodeJS.ProcessEnv,
  declared: Readonly<Record<string, string>>,
): Record<string, string> {
  const env: Record<string, string> = {}
  for (const name of passedOn) {
    const value = ours[name]
    // Older shells take a value like that for a function, and run what follows it.
    if (value !== undefined && !value.startsWith('()')) env[name] = value
  }
  return { PATH: '/usr/local/bin:/usr/bin:/bin', ...env, ...declared }
}
