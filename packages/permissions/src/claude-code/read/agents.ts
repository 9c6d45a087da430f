/** The agents of the project, of the user, of the administrator and of plugins. */

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
  /** Where in the frontmatter something stands. */
  readonly locate: Frontmatter['locate']
  /** Whether hooks and servers of its own count: never those of plugins, and of a project where its folder is trusted. */
  readonly isTrusted: boolean
}

/**
 * In the order in which the client prefers them. The same file under several names is one agent: that of the stronger
 * source. `folders`: those whose `.claude` counts, in the same order.
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
  // Where one file has several names, the client keeps the one it comes to first: in this order.
  const managed = own(join(places.managed, '.claude', 'agents'), 'managed')
  const user = own(join(places.config, 'agents'), 'user')
  const project = folders.flatMap((folder) =>
    own(join(folder, '.claude', 'agents'), 'project', () => trusts(folder)),
  )
  const brought = plugins.flatMap((plugin) => {
    const { name } = plugin
    return plugin.agentFiles.flatMap(({ file, folders: below }) =>
      readAgent(file, reading, (read) => [name, ...below, givenName(read)].join(':'), {
        source: 'plugin',
        plugin: name,
        isTrusted: false,
      }),
    )
  })
  return [...managed, ...project, ...user, ...brought]
}

/** An agent's file, as far as its name depends on it. */
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
    unreadable: 'there is no agent of this name',
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
      problems.push(hookProblem(fault, placesIn({ file, locate }), 'leaves the agent out'))
    if (guards.length > 0) return []
  }
  return [{ file, text, name, ...origin, ...partsOf(file, text, usable), body, locate }]
}

/** People explain their agents beside them, in files of these names. */
const explaining = /^(?:readme|index|contributing|changelog|claude|agents)\b/i
const looksLikeFrontmatter = /^(?:name|description|tools|disallowedTools):/m

function noAgent(file: string, text: string): FileProblem[] {
  // What is wrong with a frontmatter that is there was said already.
  if (explaining.test(basename(file)) || /^\uFEFF?---\s*\n/.test(text)) return []
  const isMeant = looksLikeFrontmatter.test(text.slice(0, 500))
  return [
    {
      file,
      line: 1,
      column: 1,
      kind: 'unread',
      message: 'This file does not begin with a frontmatter, and Claude Code does not take it for an agent.',
      fix: 'Begin it with `name:` and `description:` between two lines of three dashes, or keep it elsewhere.',
      ...(!isMeant && { severity: 'note' }),
    },
  ]
}

function lossOf(source: AgentFile['source']): string {
  return source === 'plugin'
    ? 'Claude Code ignores all of it, and the agent has every tool'
    : 'Claude Code leaves the agent out'
}

/** The project's and the user's agents need a name and a description; without frontmatter it is just some Markdown. */
function ownName({ file, matter }: NamedFile, problems: FileProblem[]): string | undefined {
  if (matter === undefined) return undefined
  const { name, description } = matter.value
  const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== ''
  const isUsable = isText(name) && !name.startsWith('-') && name.length <= maxNameLength
  if (isUsable && !name.normalize('NFKC').includes(':') && isText(description)) return name
  const problem = !isText(name)
    ? 'it has no name, or one that is no text'
    : !isText(description)
      ? 'it has no description, or one that is no text'
      : 'its name begins with a dash, has a colon in it or is too long'
  const { line, column } = matter.locate(['name'], 'key') ?? { line: 1, column: 1 }
  problems.push({
    file,
    line,
    column,
    kind: 'wrong-shape',
    message: `Claude Code leaves this agent out: ${problem}.`,
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
