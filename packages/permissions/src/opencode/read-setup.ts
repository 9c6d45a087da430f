/** Reads all configuration of OpenCode that decides what an agent may do. */

import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { isJsonObject } from '@contextd/shared/json/value'
import { parseJson, type JsonDocument } from '@contextd/shared/json/json-source'
import { readSmallFile, type FileRead } from '@contextd/shared/files/small-file'
import { nearestRepository } from '@contextd/shared/files/nearest-repository'
import { unreadableFile, variablePlace, voidedKey } from '../files/client-files.ts'
import { limitedReader, type LimitedReader } from '../files/limited-reader.ts'
import { markdownIn, statOf } from '../files/markdown-files.ts'
import { hasSecondTry, readOpenCodeFrontmatter } from './frontmatter.ts'
import type { OpenCodePlaces } from './places.ts'
import type {
  OpenCodeAgent,
  OpenCodeConfig,
  OpenCodeSetup,
  OpenCodeProblem,
  OpenCodeSource,
  SourceLevel,
} from './setup.ts'

export interface OpenCodePorts {
  readonly secretsIn: OpenCodeSetup['secretsIn']
}

export function readOpenCodeSetup(places: OpenCodePlaces, { secretsIn }: OpenCodePorts): OpenCodeSetup {
  const { project, home, config, managed, extraFile, extraFolder, isWithoutProject } = places
  const problems: OpenCodeProblem[] = []
  const reading = { problems, reader: limitedReader((problem) => problems.push(problem)) }
  const repository = nearestRepository(project)
  const upwards = foldersUpwards(project, repository)
  const levelOf = (folder: string): SourceLevel => (folder === home ? 'user' : 'project')
  const folders = uniqueFolders([
    { path: config, level: 'user', hasConfig: false },
    ...(isWithoutProject ? [] : upwards).map((folder) => ({
      path: join(folder, '.opencode'),
      level: levelOf(folder),
      hasConfig: true,
    })),
    { path: join(home, '.opencode'), level: 'user', hasConfig: true },
    ...(extraFolder === undefined ? [] : [{ path: extraFolder, level: 'user' as const, hasConfig: true }]),
  ])
  const configs = (folder: string, names: readonly string[], level: SourceLevel): OpenCodeSource[] =>
    names.flatMap((name) => readConfig(join(folder, name), level, problems))
  const inProject = (into: OpenCodeProblem[]): OpenCodeConfig[] =>
    upwards
      .toReversed()
      .flatMap((folder) =>
        configNames.flatMap((name) => readConfig(join(folder, name), levelOf(folder), into)),
      )
  const sources: OpenCodeSource[] = [
    ...configs(config, ['config.json', ...configNames], 'user'),
    ...(extraFile === undefined ? [] : readConfig(extraFile, 'user', problems)),
    ...(isWithoutProject ? [] : inProject(problems)),
    ...folders.flatMap(({ path, level, hasConfig }) => [
      ...(hasConfig ? configs(path, configNames, level) : []),
      ...readAgents(path, level, reading),
    ]),
    ...readContent(places, problems),
    ...configs(managed, configNames, 'managed'),
    ...readPermission(places),
  ]
  return {
    project,
    home,
    ownFolders: places.own,
    ...(repository !== undefined && { repository }),
    sources,
    skipped: isWithoutProject ? inProject([]) : [],
    hasOwnTools: folders.some(({ path }) => hasOwnTools(path)) || sources.some(namesPlugins),
    problems,
    isFolder,
    secretsIn,
  }
}

/** The later one overrides the earlier one. */
const configNames = ['opencode.json', 'opencode.jsonc']

interface Folder {
  readonly path: string
  readonly level: SourceLevel
  /** Whether its configuration files are read with the folder, and not separately. */
  readonly hasConfig: boolean
}

function uniqueFolders(folders: readonly Folder[]): Folder[] {
  return folders.filter(({ path }, index) => folders.findIndex((one) => one.path === path) === index)
}

/** From the project up to the repository root, or up to `/` without a repository. */
function foldersUpwards(project: string, top: string | undefined): string[] {
  const folders: string[] = []
  for (let at = project; ; at = dirname(at)) {
    folders.push(at)
    if (at === top || dirname(at) === at) return folders
  }
}

const refuses = 'OpenCode refuses to start'

function readConfig(file: string, level: SourceLevel, problems: OpenCodeProblem[]): OpenCodeConfig[] {
  const text = textOf(readSmallFile(file), file, problems)
  return text === undefined || text === '' ? [] : readConfigText(text, file, level, problems)
}

function readContent({ content }: OpenCodePlaces, problems: OpenCodeProblem[]): OpenCodeConfig[] {
  if (content === undefined) return []
  return readConfigText(content, variablePlace('OPENCODE_CONFIG_CONTENT'), 'environment', problems)
}

/** Overrides all other sources, even the administrator's. The client ignores values other than objects. */
function readPermission({ permission: text }: OpenCodePlaces): OpenCodeConfig[] {
  if (text === undefined) return []
  const read = parseJson(text, { duplicates: true })
  const document: JsonDocument = read.ok
    ? { ...read, locate: (path, part) => read.locate(path.slice(1), part) }
    : { ok: true, value: null, root: { value: null, start: 0, end: 0 }, voided: [], locate: () => undefined }
  const value = read.ok ? { permission: read.value } : {}
  const file = variablePlace('OPENCODE_PERMISSION')
  return [{ kind: 'config', level: 'environment', isUnchecked: true, file, text, document, value }]
}

function readConfigText(
  text: string,
  file: string,
  level: SourceLevel,
  problems: OpenCodeProblem[],
): OpenCodeConfig[] {
  const document = parseJson(text, { comments: true, duplicates: true })
  if (!document.ok) {
    const { line, column, message } = document
    problems.push({
      file,
      line,
      column,
      kind: 'malformed',
      severity: 'error',
      message: `This is not JSON (${message}): ${refuses}.`,
      fix: 'Correct the text at this place; comments and trailing commas are fine.',
    })
    return []
  }
  if (!isJsonObject(document.value)) {
    problems.push({
      file,
      line: 1,
      column: 1,
      kind: 'wrong-shape',
      severity: 'error',
      message: `The file must contain an object: ${refuses}.`,
      fix: 'Put the settings between { and }.',
    })
    return []
  }
  for (const key of document.voided) problems.push({ ...voidedKey(file, key), severity: 'error' })
  return [{ kind: 'config', level, file, text, document, value: document.value }]
}

interface AgentReading {
  readonly reader: LimitedReader
  readonly problems: OpenCodeProblem[]
}

function readAgents(folder: string, level: SourceLevel, reading: AgentReading): OpenCodeAgent[] {
  const report = (problem: OpenCodeProblem): unknown => reading.problems.push(problem)
  const named = (inner: string, isMode: boolean): OpenCodeAgent[] =>
    markdownIn(join(folder, inner), { followsLinks: true, report })
      .filter(({ folders }) => !isMode || folders.length === 0)
      .flatMap(({ file, folders }) =>
        readAgent(file, [...folders, basename(file, '.md')].join('/'), level, isMode, reading),
      )
  return [
    ...['agent', 'agents'].flatMap((inner) => named(inner, false)),
    ...['mode', 'modes'].flatMap((inner) => named(inner, true)),
  ]
}

function readAgent(
  file: string,
  ownName: string,
  level: SourceLevel,
  isMode: boolean,
  { reader, problems }: AgentReading,
): OpenCodeAgent[] {
  const text = textOf(reader.read(file), file, problems)
  if (text === undefined) return []
  const head = readOpenCodeFrontmatter(text)
  reader.count(head)
  if (head?.ok === false) {
    const { line, column, message } = head
    problems.push({
      file,
      line,
      column,
      kind: 'malformed',
      ...(hasSecondTry(text)
        ? { severity: 'warning', message: `This is not valid YAML (${message}): OpenCode skips the agent.` }
        : {
            severity: 'error',
            message: `This is not valid YAML (${message}): OpenCode uses the whole file as the prompt, and nothing in it is denied.`,
          }),
      fix: 'Correct the text at this place: each key once, patterns such as "*" in quotes.',
    })
    return []
  }
  if (head === undefined && /^\uFEFF?\s+---\s/.test(text)) {
    problems.push({
      file,
      line: 1,
      column: 1,
      kind: 'malformed',
      severity: 'error',
      message:
        'The frontmatter does not begin in the first line: OpenCode treats it as part of the prompt, and nothing in it is denied.',
      fix: 'Remove everything before the first ---.',
    })
  }
  const frontmatter = head?.value ?? {}
  const name = typeof frontmatter.name === 'string' ? frontmatter.name : ownName
  const locate: OpenCodeAgent['locate'] = (path, part) => head?.locate(path, part)
  return [{ kind: 'agent', level, name, isMode, file, text, frontmatter, locate, body: head?.body ?? 0 }]
}

function textOf(read: FileRead, file: string, problems: OpenCodeProblem[]): string | undefined {
  if (read.kind === 'bytes') return read.bytes.toString()
  if (read.kind === 'unreadable') {
    const message = `The file ${read.why}, so its contents are unknown.`
    problems.push({ ...unreadableFile(file, message), severity: 'warning' })
  }
  return undefined
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true
}

/** Whether it contains code that may define tools, whose names are unknown without running it. */
function hasOwnTools(folder: string): boolean {
  return ['tool', 'tools', 'plugin', 'plugins'].some((inner) => {
    try {
      return readdirSync(join(folder, inner)).some((name) => /\.[cm]?[jt]s$/.test(name))
    } catch {
      return false
    }
  })
}

function namesPlugins(source: OpenCodeSource): boolean {
  return source.kind === 'config' && Array.isArray(source.value.plugin) && source.value.plugin.length > 0
}
