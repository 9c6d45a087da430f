/** The agents of the project, the user, managed settings and plugins. */

import { basename, join } from 'node:path'

import type { Json } from '@contextd/shared/json/value'
import type { FileProblem } from '../../files/client-files.ts'
import type { Frontmatter } from '../../files/frontmatter.ts'
import { firstNames, markdownIn } from '../../files/markdown-files.ts'
import { hookFaults } from '../rules/hook-shape.ts'
import type { ClaudePlaces } from './places.ts'
import { hookProblem, placesIn } from './hooks.ts'
import { keyEntries, readMarkdownHead, toolEntries, type HeadReading } from './markdown-head.ts'
import type { LoadedPlugin } from './plugin-files.ts'
import type { Workspace } from './workspace.ts'
import type { AgentFile, Entry } from '../setup/setup.ts'

const maxNameLength = 256

export interface LoadedAgent extends AgentFile {
  /** The position of a value in the frontmatter. */
  readonly locate: Frontmatter['locate']
  /** Whether its hooks and servers apply: never for plugins, and for project agents only in a trusted folder. */
  readonly isTrusted: boolean
}

/**
 * In order of precedence. A file reachable under several names is one agent, from the strongest source. `folders`: the
 * folders whose `.claude` is read, in the same order.
 */
export function readAgents(
  places: ClaudePlaces,
  { folders, trusts }: Pick<Workspace, 'folders' | 'trusts'>,
  plugins: readonly LoadedPlugin[],
  reading: HeadReading,
): LoadedAgent[] {
  const { problems } = reading
  const report = (problem: FileProblem): unknown => problems.push(problem)
  const isNew = firstNames()
  const own = (
    folder: string,
    source: 'managed' | 'project' | 'user',
    isTrusted: () => boolean = () => true,
  ): LoadedAgent[] => {
    const files = markdownIn(folder, { followsLinks: true, report }).filter(({ file }) => isNew(file))
    if (files.length === 0) return []
    const origin = { source, isTrusted: isTrusted() }
    return files.flatMap(({ file }) => readAgent(file, reading, (read) => ownName(read, problems), origin))
  }
  // For a file with several names, the first one found wins, so the order of these calls matters.
  const managed = own(join(places.managed, '.claude', 'agents'), 'managed')
  const user = own(join(places.config, 'agents'), 'user')
  const project = folders.flatMap((folder) =>
    own(join(folder, '.claude', 'agents'), 'project', () => trusts(folder)),
  )
  const ofPlugins = plugins.flatMap((plugin) => {
    const { name } = plugin
    return plugin.agentFiles.flatMap(({ file, folders: below }) =>
      readAgent(file, reading, (read) => [name, ...below, givenName(read)].join(':'), {
        source: 'plugin',
        plugin: name,
        isTrusted: false,
      }),
    )
  })
  return [...managed, ...project, ...user, ...ofPlugins]
}

/** The parts of an agent's file that determine its name. */
interface NamedFile {
  readonly file: string
  readonly matter: Frontmatter | undefined
}

function readAgent(
  file: string,
  reading: HeadReading,
  nameOf: (read: NamedFile) => string | undefined,
  origin: Pick<LoadedAgent, 'source' | 'plugin' | 'isTrusted'>,
): LoadedAgent[] {
  const { problems } = reading
  const head = readMarkdownHead(file, reading, {
    unreadable: 'the agent is not available',
    malformed: lossOf(origin.source),
  })
  if (head === undefined) return []
  const { text, matter: usable, body } = head
  if (usable === undefined && origin.source !== 'plugin') problems.push(...noAgent(file, text))
  const name = nameOf({ file, matter: usable })
  if (name === undefined) return []
  const locate = usable?.locate ?? (() => undefined)
  if (origin.source !== 'plugin') {
    const guards = hookFaults(usable?.value ?? {}).filter(({ drops }) => drops === 'file')
    for (const fault of guards)
      problems.push(hookProblem(fault, placesIn({ file, locate }), 'ignores the agent'))
    if (guards.length > 0) return []
  }
  return [{ file, text, name, ...origin, ...partsOf(file, text, usable), body, locate }]
}

/** Documentation files that are common in agent folders. */
const documentation = /^(?:readme|index|contributing|changelog|claude|agents)\b/i
const looksLikeFrontmatter = /^(?:name|description|tools|disallowedTools):/m

function noAgent(file: string, text: string): FileProblem[] {
  // Malformed frontmatter has already been reported.
  if (documentation.test(basename(file)) || /^\uFEFF?---\s*\n/.test(text)) return []
  const isIntended = looksLikeFrontmatter.test(text.slice(0, 500))
  return [
    {
      file,
      line: 1,
      column: 1,
      kind: 'unread',
      message: 'This file does not start with frontmatter, so Claude Code does not load it as an agent.',
      fix: 'Start it with `name:` and `description:` between two lines of three dashes, or move it elsewhere.',
      ...(!isIntended && { severity: 'note' }),
    },
  ]
}

function lossOf(source: AgentFile['source']): string {
  return source === 'plugin'
    ? 'Claude Code ignores it, and the agent has every tool'
    : 'Claude Code ignores the agent'
}

/** Agents outside plugins need a name and a description. A file without frontmatter is not an agent. */
function ownName({ file, matter }: NamedFile, problems: FileProblem[]): string | undefined {
  if (matter === undefined) return undefined
  const { name, description } = matter.value
  const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== ''
  const isUsable = isText(name) && !name.startsWith('-') && name.length <= maxNameLength
  if (isUsable && !name.normalize('NFKC').includes(':') && isText(description)) return name
  const problem = !isText(name)
    ? 'its name is missing or not a string'
    : !isText(description)
      ? 'its description is missing or not a string'
      : 'its name starts with a dash, contains a colon or is too long'
  const { line, column } = matter.locate(['name'], 'key') ?? { line: 1, column: 1 }
  problems.push({
    file,
    line,
    column,
    kind: 'wrong-shape',
    message: `Claude Code ignores this agent: ${problem}.`,
    fix: 'Give it a name of letters, digits and dashes, and a description.',
  })
  return undefined
}

function givenName({ file, matter }: NamedFile): string {
  const { name } = matter?.value ?? {}
  const given = typeof name === 'string' || typeof name === 'number' ? String(name) : ''
  return given !== '' && given.length <= maxNameLength ? given : basename(file).replace(/\.md$/, '')
}

type Parts = Pick<
  AgentFile,
  'tools' | 'disallowedTools' | 'permissionMode' | 'mcpServers' | 'keys' | 'frontmatter'
>

function partsOf(file: string, text: string, matter: Frontmatter | undefined): Parts {
  if (matter === undefined) return { keys: new Map(), frontmatter: {} }
  const { value, locate } = matter
  const entry = (item: string, path: readonly (string | number)[], part?: 'key'): Entry | undefined => {
    const span = locate(path, part)
    return span && { file, text: item, ...span }
  }
  const tools = toolEntries('tools', matter, file, text)
  const disallowedTools = toolEntries('disallowedTools', matter, file, text)
  const mode = typeof value.permissionMode === 'string' ? value.permissionMode : undefined
  const permissionMode = mode === undefined ? undefined : entry(mode, ['permissionMode'])
  const servers = value.mcpServers
  const mcpServers = Array.isArray(servers)
    ? servers.flatMap((item, index): Entry[] => {
        if (typeof item === 'string') return [entry(item, ['mcpServers', index]) ?? []].flat()
        const names = typeof item === 'object' && item !== null ? Object.keys(item) : []
        return names.flatMap((name) => entry(name, ['mcpServers', index, name], 'key') ?? [])
      })
    : undefined
  return {
    ...(tools !== undefined && { tools }),
    ...(disallowedTools !== undefined && { disallowedTools }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(mcpServers !== undefined && { mcpServers }),
    keys: keyEntries(file, matter),
    frontmatter: value,
  }
}
