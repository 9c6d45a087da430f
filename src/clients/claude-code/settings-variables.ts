/** The variables that Claude Code settings set for the client and the processes it starts. */

import { join } from 'node:path'

import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { readSmallText } from '@contextd/shared/files/small-file'
import { readDoorUrl } from '../model-door/door-url.ts'
import type { Environment } from './door-environment.ts'

/** In the order in which the client applies them: the last one takes precedence. */
export function settingsFiles(userFile: string, project: string | undefined): string[] {
  return project === undefined ? [userFile] : [userFile, ...projectFiles(project)]
}

function projectFiles(project: string): string[] {
  return ['settings.json', 'settings.local.json'].map((name) => join(project, '.claude', name))
}

/** Variables set by the project, which may be untrusted. */
export function projectVariables(project: string): Environment {
  return Object.assign(
    {},
    ...projectFiles(project).map((file) => variablesOf(readSettingsObject(file))),
  ) as Environment
}

/** Undefined if the file cannot be read: the client ignores it too. */
export function readSettingsObject(file: string): JsonObject | undefined {
  const text = readSmallText(file)
  if (text === undefined) return undefined
  try {
    const settings: unknown = JSON.parse(text)
    return isJsonObject(settings) ? settings : undefined
  } catch {
    return undefined
  }
}

export function variablesOf(settings: JsonObject | undefined): Environment {
  const env = settings?.env
  if (!isJsonObject(env)) return {}
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, text(value)]))
}

/** Whether `ctxd init` routed the client through the model door, even if other settings override that. */
export function isSetUpForDoor(files: readonly string[]): boolean {
  return files.some(
    (file) => readDoorUrl(variablesOf(readSettingsObject(file)).ANTHROPIC_BASE_URL) !== undefined,
  )
}
