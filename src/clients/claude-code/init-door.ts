/** Settings that route Claude Code through the model door. */

import { join, relative } from 'node:path'

import { findGitFolder } from '../../platform/files/git-folder.ts'
import type { ClientFile } from '../init/client-file.ts'
import { jsonFile } from '../init/json-file.ts'
import type { JsonEdit } from '@contextd/shared/json/json-edits'
import { lineFile } from '../init/line-file.ts'
import { readDoorUrl } from '../model-door/door-url.ts'

export interface DoorSettings {
  /** Includes the key. */
  readonly url: string
  /** If a proxy would receive requests to this machine: the variable that prevents it, and its value. */
  readonly noProxy?: { readonly variable: 'no_proxy' | 'NO_PROXY'; readonly hosts: string }
}

type Place = { readonly project: string } | { readonly config: string }

/** The key is private to this user: it is written to the project's unshared settings, which are excluded from git. */
export function doorFiles(place: Place, door: DoorSettings): ClientFile[] {
  const isUsers = !('project' in place)
  const path = isUsers
    ? join(place.config, 'settings.json')
    : join(place.project, '.claude', 'settings.local.json')
  const settings = { ...jsonFile(path, 'json', doorEdits(door)), isPrivate: true as const }
  return isUsers ? [settings] : [settings, ...excludeFile(place.project, path)]
}

export function doorEdits({ url, noProxy }: DoorSettings): JsonEdit[] {
  return [
    {
      path: ['env', 'ANTHROPIC_BASE_URL'],
      put: () => url,
      clear: (now) => (typeof now === 'string' && readDoorUrl(now) !== undefined ? undefined : now),
    },
    ...(noProxy === undefined
      ? []
      : [
          {
            path: ['env', noProxy.variable] as const,
            put: () => noProxy.hosts,
            clear: (now) => now,
          } satisfies JsonEdit,
        ]),
  ]
}

/** The client adds this file to git's excludes only if it created the file itself. */
function excludeFile(project: string, path: string): ClientFile[] {
  const git = findGitFolder(project)
  if (git === undefined) return []
  const line = `/${relative(git.root, path).replaceAll('\\', '/')}`
  return [lineFile(join(git.common, 'info', 'exclude'), line)]
}
