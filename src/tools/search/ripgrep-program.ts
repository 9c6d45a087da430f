import { accessSync, constants, realpathSync } from 'node:fs'

/** Absolute paths: a project may contain a program of the same name. */
const systemPlaces = ['/usr/bin/rg', '/usr/local/bin/rg', '/bin/rg']

/** The ripgrep of the optional package, else that of the system. */
export async function findRipgrep(): Promise<string | undefined> {
  return (await packagedRipgrep()) ?? systemRipgrep()
}

export async function packagedRipgrep(): Promise<string | undefined> {
  try {
    const { rgPath } = await import('@vscode/ripgrep')
    return realpathSync(rgPath)
  } catch {
    // Not installed, or not available for this machine.
    return undefined
  }
}

export function systemRipgrep(): string | undefined {
  return systemPlaces.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
