/** The variables that servers inherit: paths and locale. An allowlist, so that no key or token leaks by accident. */
const inherited: readonly string[] = [
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

/** The environment of a server: the inherited variables, and those of its entry. */
export function environmentFor(
  ours: NodeJS.ProcessEnv,
  declared: Readonly<Record<string, string>>,
): Record<string, string> {
  const env: Record<string, string> = {}
  for (const name of inherited) {
    const value = ours[name]
    // Shellshock: old shells parse such a value as a function and run the code after it.
    if (value !== undefined && !value.startsWith('()')) env[name] = value
  }
  return { PATH: '/usr/local/bin:/usr/bin:/bin', ...env, ...declared }
}
