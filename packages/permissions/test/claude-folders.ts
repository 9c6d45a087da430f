import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import type { ClaudePlaces } from '../src/claude-code/read/places.ts'
import { readSetup } from '../src/claude-code/read/read-setup.ts'
import type { ClaudeSetup } from '../src/claude-code/setup/setup.ts'

/** Temporary folders for a project, a home and managed settings: `project/…`, `home/…`, `managed/…`. */
export interface ClaudeFolders {
  readonly path: string
  readonly places: ClaudePlaces
  /** `$PROJECT` and `$HOME` in the text are replaced by the folders. */
  write(files: Readonly<Record<string, string | object>>): void
  trust(more?: object): void
  /** Link targets by path. */
  link(links: Readonly<Record<string, string>>): void
  read(options?: {
    pluginFolders?: readonly string[]
    addedFolders?: readonly string[]
    project?: string
  }): ClaudeSetup
  /** A path relative to the temporary folder: `project/.mcp.json`. */
  short(file: string): string
  remove(): void
}

export function makeClaudeFolders(): ClaudeFolders {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-claude-')))
  const [project, home, managed] = ['project', 'home', 'managed'].map((name) => join(path, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [project, home, managed]) mkdirSync(folder)
  const places = {
    project,
    home,
    config: join(home, '.claude'),
    state: join(home, '.claude.json'),
    managed,
  }
  const write: ClaudeFolders['write'] = (files) => {
    for (const [name, content] of Object.entries(files)) {
      const file = join(path, name)
      mkdirSync(dirname(file), { recursive: true })
      const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2)
      writeFileSync(file, text.replaceAll('$PROJECT', project).replaceAll('$HOME', home))
    }
  }
  return {
    path,
    places,
    write,
    trust: (more = {}) =>
      write({ 'home/.claude.json': { projects: { [project]: { hasTrustDialogAccepted: true, ...more } } } }),
    link: (links) => {
      for (const [name, target] of Object.entries(links)) {
        mkdirSync(dirname(join(path, name)), { recursive: true })
        symlinkSync(target, join(path, name))
      }
    },
    read: ({ pluginFolders = [], addedFolders = [], project: other = project } = {}) =>
      readSetup({ ...places, project: other }, { secretsIn: () => [], pluginFolders, addedFolders }),
    short: (file) => file.slice(path.length + 1),
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
