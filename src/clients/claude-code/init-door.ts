/** Settings that route Claude Code through the model door. */

import { join } from 'node:path'

import { personal, type ClientFile } from '../init/client-file.ts'
import { jsonFile } from '../init/json-file.ts'
import type { JsonEdit } from '@contextd/shared/json/json-edits'
import { readDoorUrl } from '../model-door/door-url.ts'

export interface DoorSettings {
  /** Includes the key. */
  readonly url: string
  /** If a proxy would receive requests to this machine: the variable that prevents it, and its value. */
  readonly noProxy?: { readonly variable: 'no_proxy' | 'NO_PROXY'; readonly hosts: string }
}

type Place = { readonly project: string } | { readonly config: string }

/** The key is private to this user: in a project, it is written to the settings that git ignores. */
export function doorFiles(place: Place, door: DoorSettings): ClientFile[] {
  const file = (path: string): ClientFile => ({ ...jsonFile(path, 'json', doorEdits(door)), isPrivate: true })
  return 'project' in place
    ? [personal(file(join(place.project, '.claude', 'settings.local.json')))]
    : [file(join(place.config, 'settings.json'))]
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
