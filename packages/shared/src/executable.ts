import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Where the system searches when the environment has no PATH. */
const defaultPath = '/bin:/usr/bin'

/** Whether PATH leads to a file of that name, which may not be executable. */
export function isOnPath(name: string, env: NodeJS.ProcessEnv): boolean {
  return (env.PATH ?? defaultPath).split(delimiter).some((folder) => isFile(join(folder, name)))
}

/**
 * Whether a program could not be started because it does not exist. ENOENT says so. EACCES is ambiguous for a name that
 * is searched in PATH: the system also returns it if one of the folders cannot be searched.
 */
export function isMissingProgram(
  { code }: NodeJS.ErrnoException,
  file: string,
  env: NodeJS.ProcessEnv,
): boolean {
  if (code === 'ENOENT') return true
  return code === 'EACCES' && !file.includes('/') && !isOnPath(file, env)
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}
