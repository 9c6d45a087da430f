/** The hooks of settings, plugins, agents and skills that the client would run. */

import { dirname } from 'node:path'

import { isJsonObject, valueAt, type Json } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import { formatJsonPath } from '@contextd/shared/json/json-path'
import type { FileProblem } from '../../files/client-files.ts'
import type { Place } from '../../findings/finding.ts'
import { guardEvents, hookFaults, type HookFault } from '../rules/hook-shape.ts'
import { jsonPlace, type JsonPart } from './json-file.ts'
import type { LoadedAgent } from './agents.ts'
import type { LoadedPlugin } from './plugin-files.ts'
import type { LoadedSkill } from './skills.ts'
import type { HookEntry, SettingsFile } from '../setup/setup.ts'

export interface HookSources {
  readonly settings: readonly SettingsFile[]
  readonly plugins: readonly Pick<LoadedPlugin, 'name' | 'folder' | 'hooks'>[]
  readonly agents: readonly LoadedAgent[]
  readonly skills: readonly LoadedSkill[]
}

export function readHooks(sources: HookSources, problems: FileProblem[]): HookEntry[] {
  const { settings, plugins, agents, skills } = sources
  const ofSettings = settings.flatMap((file) =>
    hooksIn(file.value.hooks, ['hooks'], { source: file.level }, placesOf(file), problems),
  )
  const ofPlugins = plugins.flatMap(({ name, folder, hooks }) => {
    const origin = { source: 'plugin', owner: name, plugin: name, root: folder } as const
    return hooks.flatMap(({ file, path }) =>
      hooksIn(valueAt(file.value, path), path, origin, placesOf(file), problems),
    )
  })
  const ofAgents = agents
    .filter(({ isTrusted }) => isTrusted)
    .flatMap((agent) => hooksOf(agent, { source: 'agent', owner: agent.name }, problems))
  // A forked skill's hooks never run.
  const ofSkills = skills
    .filter(({ hasHooks, isForked }) => hasHooks && !isForked)
    .flatMap((skill) => hooksOf(skill, originOf(skill, plugins), problems))
  return [...ofSettings, ...ofPlugins, ...ofAgents, ...ofSkills]
}

type Origin = Pick<HookEntry, 'source' | 'owner' | 'plugin' | 'root'>

function originOf({ name, kind, file, plugin }: LoadedSkill, plugins: HookSources['plugins']): Origin {
  const origin = { source: 'skill', owner: name } as const
  const folder = plugins.find((one) => one.name === plugin)?.folder
  if (plugin !== undefined && folder !== undefined) return { ...origin, plugin, root: folder }
  return kind === 'command' ? origin : { ...origin, root: dirname(file) }
}

/** Hooks in frontmatter cannot be repaired automatically, so their paths are dropped. */
function hooksOf(matter: Matter, origin: Origin, problems: FileProblem[]): HookEntry[] {
  const { hooks } = matter.frontmatter
  const entries = hooksIn(hooks, ['hooks'], origin, placesIn(matter), problems)
  return entries.map(({ path: _path, ...hook }) => hook)
}

type Matter = Pick<LoadedAgent, 'file' | 'frontmatter' | 'locate'>

/** The position of a value, or of its closest existing parent. */
type Places = (path: JsonPath) => Place

function placesOf({ file, document }: JsonPart['file']): Places {
  return (path) => ({ file, ...jsonPlace(document, path) })
}

export function placesIn({ file, locate }: Pick<Matter, 'file' | 'locate'>): Places {
  return (path) => {
    const { line, column } = locate(path) ?? { line: 1, column: 1 }
    return { file, line, column }
  }
}

/** Faults in guard hooks, because of which the client ignores everything that defines them. */
export function unloadableHooks({ file, path }: JsonPart, loss: string): FileProblem[] {
  return (
    faultsOf(valueAt(file.value, path), path)
      .filter(({ drops }) => drops === 'file')
      // An extra wrapper object makes the client ignore settings, but here it is only an unknown event.
      .filter(({ path: at }) => at.length === path.length || guardEvents.includes(String(at[path.length])))
      .map((fault) => hookProblem(fault, placesOf(file), loss))
  )
}

function faultsOf(hooks: Json | undefined, at: JsonPath): HookFault[] {
  if (hooks === undefined) return []
  return hookFaults({ hooks }).map(({ path, expected, drops }) => {
    const absolute = [...at, ...path.slice(1)]
    return { path: absolute, expected, drops }
  })
}

/** `loss`: the consequence in the client, such as `does not run this hook`. */
export function hookProblem({ path, expected }: HookFault, placeOf: Places, loss: string): FileProblem {
  return {
    ...placeOf(path),
    kind: 'wrong-shape',
    message: `${formatJsonPath(path)}: Claude Code expects ${expected}, and ${loss}.`,
    fix: 'Write what it expects, or remove it.',
  }
}

/** Limit per file, to keep reports readable. */
const maxProblems = 100

function hooksIn(
  hooks: Json | undefined,
  at: JsonPath,
  origin: Origin,
  placeOf: Places,
  problems: FileProblem[],
): HookEntry[] {
  const faults = faultsOf(hooks, at).filter(({ drops }) => drops !== 'file')
  for (const fault of faults.slice(0, maxProblems)) {
    const loss = fault.drops === 'hook' ? 'does not run this hook' : 'runs none of these hooks'
    problems.push(hookProblem(fault, placeOf, loss))
  }
  const dropped = new Set(faults.map(({ path }) => JSON.stringify(path)))
  const isDropped = (path: JsonPath): boolean => dropped.has(JSON.stringify(path))
  if (!isJsonObject(hooks)) return []
  return Object.entries(hooks).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group, index) => {
      if (!isJsonObject(group) || !Array.isArray(group.hooks)) return []
      const { matcher } = group
      const groupPath = [...at, event, index]
      if (isDropped([...groupPath, 'matcher'])) return []
      return group.hooks.flatMap((hook, number): HookEntry[] => {
        const path = [...groupPath, 'hooks', number]
        if (!isJsonObject(hook) || isDropped(path)) return []
        if (Object.keys(hook).some((key) => isDropped([...path, key]))) return []
        const withMatcher = typeof matcher === 'string' ? { matcher } : {}
        return [{ event, ...withMatcher, ...origin, ...placeOf(path), hook, path }]
      })
    }),
  )
}
