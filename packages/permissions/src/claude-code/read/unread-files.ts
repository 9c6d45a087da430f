/** Files that look like those of the client but are never read by it. */

import { join } from 'node:path'

import { isJsonObject } from '@contextd/shared/json/value'
import { maxJsonLength, parseJson } from '@contextd/shared/json/json-source'
import { nearest } from '@contextd/shared/text/nearest'
import { readSmallText } from '@contextd/shared/files/small-file'
import type { FileProblem } from '../../files/client-files.ts'
import { idOf } from '../../files/markdown-files.ts'
import type { McpServer } from '../setup/setup.ts'
import { jsonPlace } from './json-file.ts'
import { namesIn } from '@contextd/shared/files/names-in'
import type { ClaudePlaces } from './places.ts'
import type { Workspace } from './workspace.ts'

type Unread = Omit<FileProblem, 'kind' | 'file' | 'line' | 'column'>

/** Checks the project, its `.claude` and the client's config folder only, without recursion. */
export function findUnreadFiles(
  { project, config }: ClaudePlaces,
  { localSettings }: Workspace,
  servers: readonly McpServer[],
  problems: FileProblem[],
): void {
  const projectConfig = join(project, '.claude')
  for (const folder of new Set([projectConfig, config])) {
    const isUserConfig = folder === config
    for (const name of namesIn(folder)) {
      const file = join(folder, name)
      const isLocal = isUserConfig && name === 'settings.local.json' && !localSettings.includes(file)
      const intended = isLocal ? 'settings.json' : intendedSettings(name)
      if (intended === undefined || isSameFile(file, join(folder, intended))) continue
      const problem = unreadSettings(file, intended, isLocal)
      if (problem !== undefined) problems.push({ file, line: 1, column: 1, kind: 'unread', ...problem })
    }
    checkForAgents(join(folder, 'agent'), problems)
  }
  const known = new Set(servers.map(({ name }) => name))
  const ofUser = ['mcp.json', '.mcp.json'].map((name) => join(config, name))
  const ofProject = ['mcp.json', '.mcp.jsonc', '.mcp.local.json', '.claude/mcp.json', '.claude/.mcp.json']
  for (const file of new Set([...ofUser, ...ofProject.map((name) => join(project, name))])) {
    const fix = ofUser.includes(file)
      ? 'Add them with `claude mcp add --scope user`, or add them to the `.mcp.json` of a project.'
      : 'Move them to `.mcp.json` in the project folder.'
    checkForServers(file, fix, known, problems)
  }
}

const extensions = new Set(['json', 'jsonc', 'json5', 'yaml', 'yml', 'toml'])

/** Recognizes `settings.locale.json`, `setting.json`, `settings.yaml`, but not a deliberate name such as `settings.ci.json`. */
export function intendedSettings(name: string): 'settings.json' | 'settings.local.json' | undefined {
  if (name === 'settings.json' || name === 'settings.local.json') return undefined
  if (name === 'permissions.json') return 'settings.json'
  const words = name.toLowerCase().split(/[._-]/)
  const extension = words.at(-1) ?? ''
  const [first = '', ...more] = words.slice(0, -1)
  const isLike = (word: string, right: string): boolean => nearest(word, [right]) !== undefined
  if (!extensions.has(extension) || more.length > 1) return undefined
  const [other] = more
  if (other === undefined) return isLike(first, 'settings') ? 'settings.json' : undefined
  const isLocal =
    (isLike(first, 'settings') && isLike(other, 'local')) || (first === 'local' && isLike(other, 'settings'))
  return isLocal ? 'settings.local.json' : undefined
}

/** The client itself writes local settings when started in the home folder, so those matter only if they restrict something. */
function unreadSettings(file: string, intended: string, isLocal: boolean): Unread | undefined {
  const text = readSmallText(file, maxJsonLength)
  if (text === undefined) return undefined
  const isRestrictive = /\b(?:deny|ask|hooks)["']?\s*[:=]/.test(text)
  if (isLocal && !isRestrictive) return undefined
  const where = isLocal ? 'in any project but the home folder itself' : 'under this name'
  return {
    message: `Claude Code does not read this file ${where}${isRestrictive ? ': none of its restrictions apply' : ''}.`,
    fix: `Move its contents to \`${intended}\` in the same folder.`,
    ...(isRestrictive && { severity: 'error' }),
  }
}

function checkForServers(
  file: string,
  fix: string,
  known: ReadonlySet<string>,
  problems: FileProblem[],
): void {
  const text = readSmallText(file, maxJsonLength)
  const document = text === undefined ? undefined : parseJson(text, { comments: true })
  if (document?.ok !== true || !isJsonObject(document.value)) return
  const { mcpServers } = document.value
  // A copy for another client is not a mistake.
  const names = isJsonObject(mcpServers) ? Object.keys(mcpServers).filter((name) => !known.has(name)) : []
  if (names.length === 0) return
  const place = jsonPlace(document, ['mcpServers'], 'key')
  const message = `Claude Code does not read this file and does not start \`${names.join('`, `')}\`.`
  problems.push({ file, ...place, kind: 'unread', message, fix })
}

function checkForAgents(folder: string, problems: FileProblem[]): void {
  const first = namesIn(folder).find((name) => name.endsWith('.md'))
  if (first === undefined) return
  problems.push({
    file: join(folder, first),
    line: 1,
    column: 1,
    kind: 'unread',
    message: 'Claude Code reads agents from the folder `agents`, not from `agent`.',
    fix: 'Rename the folder to `agents`.',
  })
}

/** On a case-insensitive file system, both names may be the same file. */
function isSameFile(one: string, other: string): boolean {
  const id = idOf(one)
  return id !== undefined && id === idOf(other)
}
