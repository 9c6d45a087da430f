/** Files beside those of the client that look like them, and that it never opens. */

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

/** Only in the project, its `.claude` and the client's own folder: nothing is searched. */
export function findUnreadFiles(
  { project, config }: ClaudePlaces,
  { localSettings }: Workspace,
  servers: readonly McpServer[],
  problems: FileProblem[],
): void {
  const own = join(project, '.claude')
  for (const folder of new Set([own, config])) {
    const isPersons = folder === config
    for (const name of namesIn(folder)) {
      const file = join(folder, name)
      const isLocal = isPersons && name === 'settings.local.json' && !localSettings.includes(file)
      const meant = isLocal ? 'settings.json' : meantSettings(name)
      if (meant === undefined || isSameFile(file, join(folder, meant))) continue
      const told = settingsTold(file, meant, isLocal)
      if (told !== undefined) problems.push({ file, line: 1, column: 1, kind: 'unread', ...told })
    }
    lookForAgents(join(folder, 'agent'), problems)
  }
  const known = new Set(servers.map(({ name }) => name))
  const ofPerson = ['mcp.json', '.mcp.json'].map((name) => join(config, name))
  const ofProject = ['mcp.json', '.mcp.jsonc', '.mcp.local.json', '.claude/mcp.json', '.claude/.mcp.json']
  for (const file of new Set([...ofPerson, ...ofProject.map((name) => join(project, name))])) {
    const fix = ofPerson.includes(file)
      ? 'Add them with `claude mcp add --scope user`, or put them into `.mcp.json` of a project.'
      : 'Put them into `.mcp.json` in the folder of the project.'
    lookForServers(file, fix, known, problems)
  }
}

const endings = new Set(['json', 'jsonc', 'json5', 'yaml', 'yml', 'toml'])

/** `settings.locale.json`, `setting.json`, `settings.yaml`; a word of its own, as in `settings.ci.json`, is meant so. */
export function meantSettings(name: string): 'settings.json' | 'settings.local.json' | undefined {
  if (name === 'settings.json' || name === 'settings.local.json') return undefined
  if (name === 'permissions.json') return 'settings.json'
  const words = name.toLowerCase().split(/[._-]/)
  const ending = words.at(-1) ?? ''
  const [first = '', ...more] = words.slice(0, -1)
  const isLike = (word: string, right: string): boolean => nearest(word, [right]) !== undefined
  if (!endings.has(ending) || more.length > 1) return undefined
  const [other] = more
  if (other === undefined) return isLike(first, 'settings') ? 'settings.json' : undefined
  const isLocal =
    (isLike(first, 'settings') && isLike(other, 'local')) || (first === 'local' && isLike(other, 'settings'))
  return isLocal ? 'settings.local.json' : undefined
}

/** The client writes settings of this name for those who start it in their home: they mislead where they close something. */
function settingsTold(file: string, meant: string, isLocal: boolean): Unread | undefined {
  const text = readSmallText(file, maxJsonLength)
  if (text === undefined) return undefined
  const isClosing = /\b(?:deny|ask|hooks)["']?\s*[:=]/.test(text)
  if (isLocal && !isClosing) return undefined
  const where = isLocal ? 'in any project but the home folder itself' : 'under this name'
  return {
    message: `Claude Code does not read this file ${where}${isClosing ? ': nothing of it is denied' : ''}.`,
    fix: `Put what it says into \`${meant}\` beside it.`,
    ...(isClosing && { severity: 'error' }),
  }
}

function lookForServers(
  file: string,
  fix: string,
  known: ReadonlySet<string>,
  problems: FileProblem[],
): void {
  const text = readSmallText(file, maxJsonLength)
  const document = text === undefined ? undefined : parseJson(text, { comments: true })
  if (document?.ok !== true || !isJsonObject(document.value)) return
  const { mcpServers } = document.value
  // A copy for another client is no slip.
  const names = isJsonObject(mcpServers) ? Object.keys(mcpServers).filter((name) => !known.has(name)) : []
  if (names.length === 0) return
  const place = jsonPlace(document, ['mcpServers'], 'key')
  const message = `Claude Code does not read this file and does not start \`${names.join('`, `')}\`.`
  problems.push({ file, ...place, kind: 'unread', message, fix })
}

function lookForAgents(folder: string, problems: FileProblem[]): void {
  const first = namesIn(folder).find((name) => name.endsWith('.md'))
  if (first === undefined) return
  problems.push({
    file: join(folder, first),
    line: 1,
    column: 1,
    kind: 'unread',
    message: 'Claude Code looks for agents in the folder `agents` and reads nothing in `agent`.',
    fix: 'Rename the folder to `agents`.',
  })
}

/** Where case does not count, both are one. */
function isSameFile(one: string, other: string): boolean {
  const id = idOf(one)
  return id !== undefined && id === idOf(other)
}
