/** What one plugin brings: its servers, hooks and agents, and what keeps the client from loading it. */

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
  /** None where its marketplace has to say what it is. */
  readonly manifestFile?: JsonFile
  /** Objects whose keys are names of servers; a later one wins. */
  readonly servers: readonly JsonPart[]
  /** Objects whose keys are events. */
  readonly hooks: readonly JsonPart[]
  readonly agentFiles: readonly MarkdownFile[]
}

export interface Located {
  readonly folder: string
  /** What the marketplace says of it; its manifest where it has none. */
  readonly entry: JsonObject
}

/** Where one stands that is not installed: its name tells its id. */
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

/** Undefined where the client cannot use it. */
export function loadPlugin(
  { folder, entry, id, place }: Located & { readonly id: string; readonly place: Place },
  problems: FileProblem[],
): LoadedPlugin | undefined {
  if (!existsSync(folder)) return undefined
  const file = readManifest(manifestOf(folder), problems)
  if (file === 'unusable') return undefined
  const manifest = file?.value ?? entry
  const name = [manifest.name, entry.name].find((one) => typeof one === 'string' && one !== '')
  const known = typeof name === 'string' ? name : basename(folder)
  const read = (path: string): JsonFile | undefined =>
    readJsonFile(path, 'Claude Code goes on without what it defines', problems)
  const hooks = hookParts(folder, file, read)
  const unloadable = hooks.flatMap((part) => unloadableHooks(part, 'leaves the whole plugin out'))
  for (const problem of unloadable) problems.push(problem)
  if (unloadable.length > 0) return undefined
  const settings = read(join(folder, 'settings.json'))?.value ?? manifest.settings
  return {
    ...place,
    name: known,
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

/** Undefined where there is none. */
function readManifest(path: string, problems: FileProblem[]): JsonFile | 'unusable' | undefined {
  const loss = 'Claude Code leaves the whole plugin out'
  const file = readJsonFile(path, loss, problems)
  if (file !== undefined) return isUnusable(file, problems) ? 'unusable' : file
  // Other files say nothing where they are empty; for this one the plugin is lost.
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
    const what = `${formatJsonPath(path)}: Claude Code expects ${expected}, and leaves the whole plugin out`
    problems.push({ ...wrongShape(manifest, path, what), fix: 'Write what it expects, or remove it.' })
  }
  return faults.length > 0
}

/** A file of its own, then what the manifest says: in place, or as a path to such a file. */
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

/** In a file below the key `hooks`, in the manifest without it. */
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

/** Files that the manifest names take the place of the folder. */
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

/** The client refuses what leads out of the plugin. */
export function inside(folder: string, path: string): string | undefined {
  const whole = resolve(folder, path)
  return whole.startsWith(resolve(folder) + sep) ? whole : undefined
}
