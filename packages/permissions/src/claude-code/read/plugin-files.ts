/** Loads one plugin: its servers, hooks and agents, and the faults that keep the client from loading it. */

import { existsSync } from 'node:fs'
import { basename, join, resolve, sep } from 'node:path'

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { JsonFile, FileProblem } from '../../files/client-files.ts'
import type { Place } from '../../findings/finding.ts'
import { formatJsonPath } from '@contextd/shared/json/json-path'
import { maxJsonLength } from '@contextd/shared/json/json-source'
import { readSmallText } from '@contextd/shared/files/small-file'
import { markdownIn, type MarkdownFile } from '../../files/markdown-files.ts'
import { unloadableHooks } from './hooks.ts'
import { readJsonFile, wrongShape, type JsonPart } from './json-file.ts'
import type { InPlaceMarket } from './plugin-switches.ts'
import { manifestFaults } from '../rules/plugin-manifest.ts'
import type { Plugin } from '../setup/setup.ts'

export interface LoadedPlugin extends Plugin {
  /** Absent if only its marketplace entry describes it. */
  readonly manifestFile?: JsonFile
  /** Objects keyed by server name; later ones override earlier ones. */
  readonly servers: readonly JsonPart[]
  /** Objects keyed by event. */
  readonly hooks: readonly JsonPart[]
  readonly agentFiles: readonly MarkdownFile[]
}

export interface Located {
  readonly folder: string
  /** Its marketplace entry, used as the manifest if it has none. */
  readonly entry: JsonObject
}

/** Loads a plugin that is not installed, whose id is derived from its name. */
export function loadFolder(
  folder: string,
  market: InPlaceMarket,
  problems: FileProblem[],
): LoadedPlugin | undefined {
  const place = { file: manifestOf(folder), line: 1, column: 1 }
  const loaded = loadPlugin({ folder, entry: {}, id: '', place }, problems)
  if (loaded === undefined) return undefined
  const id = `${loaded.name}@${market}`
  return { ...loaded, id, ...(market === 'skills-dir' && { isAmongSkills: true }) }
}

export function manifestOf(folder: string): string {
  return join(folder, '.claude-plugin', 'plugin.json')
}

/** Undefined if the client cannot use the plugin. */
export function loadPlugin(
  { folder, entry, id, place }: Located & { readonly id: string; readonly place: Place },
  problems: FileProblem[],
): LoadedPlugin | undefined {
  if (!existsSync(folder)) return undefined
  const file = readManifest(manifestOf(folder), problems)
  if (file === 'unusable') return undefined
  const manifest = file?.value ?? entry
  const name = [manifest.name, entry.name].find((one) => typeof one === 'string' && one !== '')
  const pluginName = typeof name === 'string' ? name : basename(folder)
  const read = (path: string): JsonFile | undefined =>
    readJsonFile(path, 'Claude Code ignores what it defines', problems)
  const hooks = hookParts(folder, file, read)
  const unloadable = hooks.flatMap((part) => unloadableHooks(part, 'ignores the whole plugin'))
  for (const problem of unloadable) problems.push(problem)
  if (unloadable.length > 0) return undefined
  const settings = read(join(folder, 'settings.json'))?.value ?? manifest.settings
  return {
    ...place,
    name: pluginName,
    id,
    folder,
    manifest,
    ...(file !== undefined && { manifestFile: file }),
    ...(isJsonObject(settings) && { settings }),
    servers: serverParts(folder, file, read),
    hooks,
    agentFiles: agentFiles(folder, manifest.agents, problems),
  }
}

/** Undefined if the plugin has no manifest. */
function readManifest(path: string, problems: FileProblem[]): JsonFile | 'unusable' | undefined {
  const loss = 'Claude Code ignores the whole plugin'
  const file = readJsonFile(path, loss, problems)
  if (file !== undefined) return isUnusable(file, problems) ? 'unusable' : file
  // Unlike other empty files, an empty manifest makes the plugin unusable.
  if (readSmallText(path, maxJsonLength)?.trim() === '')
    problems.push({
      file: path,
      line: 1,
      column: 1,
      kind: 'malformed',
      message: `The file is empty: ${loss}.`,
      fix: 'Write `{"name": "<name of the plugin>"}`, or remove the file.',
    })
  return existsSync(path) ? 'unusable' : undefined
}

function isUnusable(manifest: JsonFile, problems: FileProblem[]): boolean {
  const faults = manifestFaults(manifest.value)
  for (const { path, expected } of faults) {
    const what = `${formatJsonPath(path)}: Claude Code expects ${expected}, and ignores the whole plugin`
    problems.push({ ...wrongShape(manifest, path, what), fix: 'Write what it expects, or remove it.' })
  }
  return faults.length > 0
}

/** `.mcp.json`, then servers of the manifest, given inline or as a path to such a file. */
function serverParts(folder: string, manifest: JsonFile | undefined, read: Reader): JsonPart[] {
  const inFile = (path: string | undefined): JsonPart[] => {
    const file = path === undefined ? undefined : read(path)
    if (file === undefined) return []
    return [{ file, path: isJsonObject(file.value.mcpServers) ? ['mcpServers'] : [] }]
  }
  return [
    ...inFile(join(folder, '.mcp.json')),
    ...manifestParts(manifest, 'mcpServers').flatMap(({ value, part }) =>
      typeof value === 'string' ? inFile(inside(folder, value)) : [part],
    ),
  ]
}

/** Hook files have a `hooks` key at the top; inline hooks in the manifest do not. */
function hookParts(folder: string, manifest: JsonFile | undefined, read: Reader): JsonPart[] {
  const standard = join(folder, 'hooks', 'hooks.json')
  const inFile = (path: string | undefined): JsonPart[] => {
    const file = path === undefined ? undefined : read(path)
    return file === undefined || !isJsonObject(file.value.hooks) ? [] : [{ file, path: ['hooks'] }]
  }
  return [
    ...inFile(standard),
    ...manifestParts(manifest, 'hooks').flatMap(({ value, part }) => {
      if (typeof value !== 'string') return [part]
      const path = inside(folder, value)
      return path === standard ? [] : inFile(path)
    }),
  ]
}

type Reader = (path: string) => JsonFile | undefined

function manifestParts(
  manifest: JsonFile | undefined,
  key: string,
): { readonly value: Json; readonly part: JsonPart }[] {
  const given = manifest?.value[key]
  if (manifest === undefined || given === undefined) return []
  return Array.isArray(given)
    ? given.map((value, index) => ({ value, part: { file: manifest, path: [key, index] } }))
    : [{ value: given, part: { file: manifest, path: [key] } }]
}

/** Files named in the manifest replace the agents folder. */
function agentFiles(folder: string, named: Json | undefined, problems: FileProblem[]): MarkdownFile[] {
  if (named === undefined)
    return markdownIn(join(folder, 'agents'), {
      followsLinks: false,
      ending: /\.md$/i,
      report: (problem) => problems.push(problem),
    })
  return (Array.isArray(named) ? named : [named]).flatMap((path) => {
    const file = typeof path === 'string' ? inside(folder, path) : undefined
    return file?.endsWith('.md') === true ? [{ file, folders: [] }] : []
  })
}

/** The client rejects paths outside the plugin. */
export function inside(folder: string, path: string): string | undefined {
  const absolute = resolve(folder, path)
  return absolute.startsWith(resolve(folder) + sep) ? absolute : undefined
}
