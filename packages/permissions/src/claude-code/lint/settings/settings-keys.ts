/** Keys of settings that the client does not read: other spellings, older names, the wrong place. */

import { isJsonObject, isTexts, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import { nearest } from '@contextd/shared/text/nearest'
import { putEdits, withItems } from '@contextd/shared/json/json-edits'
import type { FindingDetails, JsonRepair, LintRule } from '../../../findings/finding.ts'
import { jsonPlace } from '../../read/json-file.ts'
import { knownSettings, managedOnlySettings, permissionKeys } from '../../rules/settings-schema.ts'
import type { ClaudeSetup, SettingsFile } from '../../setup/setup.ts'
import {
  closedFor,
  closedInShapeOfOthers,
  isInShapeOfOthers,
  meantLists,
  type MeantRule,
} from './foreign-shapes.ts'

export const settingsKeyRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'legacy-settings-key',
    severity: 'warning',
    title: 'A key of other tools or older versions',
    why: 'Claude Code takes any key in its settings and reads those it knows. `allowed_tools`, `allowedTools`, `ignorePatterns` and the like were names of flags, of older versions or of other tools: what they list is neither allowed nor denied. Rules stand in `permissions.allow`, `permissions.ask` and `permissions.deny`.\n\n`--fix` moves lists that deny. Lists that allow are left to you: moving them would begin to grant what nobody had so far.',
    check: ({ settings }) => settings.flatMap((file) => [...legacyKeys(file)]),
  },
  {
    id: 'misplaced-settings-key',
    severity: 'warning',
    title: 'A key in a place where it is not read',
    why: 'The client reads `allow`, `ask`, `deny`, `defaultMode` and `additionalDirectories` under `permissions`, MCP servers in `.mcp.json` or `~/.claude.json`, and what binds everybody on a machine only in managed settings. Anywhere else they are ignored silently.\n\n`--fix` moves lists that deny or ask.',
    check: ({ settings }) => settings.flatMap((file) => [...misplacedKeys(file)]),
  },
  {
    id: 'unknown-settings-key',
    severity: 'warning',
    title: 'A key that the client does not know',
    why: 'Claude Code ignores keys it does not know, so a slip of the finger switches off what stands under it. A key without a known one near to it is only noted: a newer version may know it. Below `permissions` it is an error where it should deny something: a word or a list for each tool (`"bash": "deny"`, `"read": { "deny": ["*.env"] }`), which is the shape of other tools, denies nothing here.\n\n`--fix` renames a key where only deny and ask rules stand under it.',
    check: ({ settings }) => settings.flatMap((file) => [...unknownKeys(file)]),
  },
]

type Closing = 'deny' | 'ask'

/** `to`: the list it belongs to; undefined where nothing can be moved as it is. */
interface Legacy {
  readonly to?: 'allow' | Closing
  readonly fix: string
}

const toAllow: Legacy = {
  to: 'allow',
  fix: 'Write the rules that you still want into `permissions.allow` and remove this key.',
}
const toDeny: Legacy = { to: 'deny', fix: 'Move the rules to `permissions.deny`.' }
const toPatterns: Legacy = { fix: 'Write `Read(<pattern>)` into `permissions.deny` for each of them.' }

const legacy: Readonly<Record<string, Legacy>> = {
  allowed_tools: toAllow,
  allowedTools: toAllow,
  autoApprove: toAllow,
  alwaysAllow: toAllow,
  disallowed_tools: toDeny,
  disallowedTools: toDeny,
  denied_tools: toDeny,
  deniedTools: toDeny,
  ignorePatterns: toPatterns,
  ignore_patterns: toPatterns,
  ignore: toPatterns,
}

const legacyOf = (key: string): Legacy | undefined => (Object.hasOwn(legacy, key) ? legacy[key] : undefined)

function* legacyKeys(file: SettingsFile): Iterable<FindingDetails> {
  for (const [key, value] of Object.entries(file.value)) {
    const known = legacyOf(key)
    if (known === undefined) continue
    const { to, fix } = known
    yield {
      file: file.file,
      ...jsonPlace(file.document, [key], 'key'),
      message:
        to === 'allow'
          ? `Claude Code does not read \`${key}\`: nothing in it is allowed.`
          : `Claude Code does not read \`${key}\`: nothing in it is denied.`,
      fix,
      ...(to !== 'allow' && { severity: 'error' }),
      ...(to === 'deny' && isTexts(value) && { repairs: [moveList(file, key, to)] }),
    }
  }
}

const permissionKey = new Set(['allow', 'ask', 'deny', 'defaultMode', 'additionalDirectories'])

function* misplacedKeys(file: SettingsFile): Iterable<FindingDetails> {
  for (const [key, value] of Object.entries(file.value)) {
    const found = misplaced(file, key, value)
    if (found !== undefined) yield { file: file.file, ...jsonPlace(file.document, [key], 'key'), ...found }
  }
}

function misplaced(
  file: SettingsFile,
  key: string,
  value: Json,
): Omit<FindingDetails, 'file' | 'line' | 'column'> | undefined {
  if (permissionKey.has(key)) {
    const isClosing = key === 'deny' || key === 'ask'
    return {
      message: `Claude Code reads \`${key}\` under \`permissions\` and ignores it here.`,
      fix: 'Move it into `permissions`.',
      ...(isClosing && { severity: 'error' }),
      ...(isClosing && isTexts(value) && { repairs: [moveList(file, key, key)] }),
    }
  }
  if (key === 'mcpServers') {
    return {
      message: 'Claude Code does not read MCP servers from settings: none of these is started.',
      fix: 'Put them into `.mcp.json` of the project, or add them with `claude mcp add`.',
    }
  }
  if (managedOnlySettings.has(key) && file.level !== 'managed') {
    return {
      message: `\`${key}\` counts in managed settings only and is ignored here.`,
      fix: 'Set it in the managed settings of the machine, or remove it.',
      severity: 'error',
    }
  }
  return undefined
}

/** People write notes under keys like these. */
const isNote = (key: string): boolean => /^(?:[_#]|\/\/)|comment/i.test(key)

function* unknownKeys(file: SettingsFile): Iterable<FindingDetails> {
  const { permissions } = file.value
  yield* unknownIn(file, [], file.value, {
    known: knownSettings,
    isElsewhere: (key) => legacyOf(key) !== undefined || permissionKey.has(key) || key === 'mcpServers',
  })
  if (!isJsonObject(permissions)) return
  yield* unknownIn(file, ['permissions'], permissions, { known: permissionKeys, isElsewhere: () => false })
}

interface Keys {
  readonly known: ReadonlyMap<string, unknown>
  /** Whether another rule says it better. */
  readonly isElsewhere: (key: string) => boolean
}

function* unknownIn(
  file: SettingsFile,
  path: JsonPath,
  object: JsonObject,
  { known, isElsewhere }: Keys,
): Iterable<FindingDetails> {
  for (const [key, value] of Object.entries(object)) {
    if (known.has(key) || isElsewhere(key) || isNote(key)) continue
    const at = { file: file.file, ...jsonPlace(file.document, [...path, key], 'key') }
    const name = `\`${[...path, key].join('.')}\``
    const ignored = `Claude Code does not know ${name} and ignores what stands there`
    const closed = path.length === 0 && key !== 'permission' ? [] : closedBy(path, key, value)
    if (closed.length > 0) {
      yield {
        ...at,
        message: `${ignored}: nothing of it is denied.`,
        fix: `Write rules of Claude Code into \`permissions\`: ${meantLists(closed)}.`,
        severity: 'error',
      }
      continue
    }
    const synonym = synonyms.get(key) ?? (path.length > 0 ? legacyOf(key)?.to : undefined)
    const meant = synonym !== undefined && known.has(synonym) ? synonym : nearest(key, [...known.keys()])
    if (meant === undefined) {
      const isClosing = path.length > 0 && closingWord.test(key) && typeof value === 'object'
      yield isClosing
        ? {
            ...at,
            message: `${ignored}: nothing of it is denied.`,
            fix: legacyOf(key)?.fix ?? 'Write what it should deny as rules into `permissions.deny`.',
            severity: 'error',
          }
        : {
            ...at,
            severity: 'note',
            message: `Claude Code (2.1.325) does not know ${name} and ignores it.`,
            fix: 'Remove it, or check its name where you have it from.',
          }
      continue
    }
    const isClosed = closes(meant, value)
    const isTaken = Object.hasOwn(object, meant)
    yield {
      ...at,
      message: `${ignored}${isClosed ? ': nothing of it is denied' : ''}.`,
      fix:
        key === 'permission' && isInShapeOfOthers(value)
          ? 'Write the rules that you want into `permissions.allow`.'
          : isTaken
            ? `Move it to \`${meant}\`.`
            : `Did you mean \`${meant}\`? Rename it.`,
      ...(isClosed && { severity: 'error' }),
      ...(isClosed &&
        !isTaken &&
        grantsNothing(meant, value) && { repairs: [rename(file, path, key, meant)] }),
    }
  }
}

/** What a key in the shape of other tools should close: one tool below `permissions`, or all of them in `permission`. */
function closedBy(path: JsonPath, key: string, value: Json): MeantRule[] {
  return path.length === 0 ? closedInShapeOfOthers(value) : closedFor(key, value)
}

/** A list below `permissions` with such a name promises that something is refused; switches come with new versions. */
const closingWord = /den(?:y|ied)|disallow|block|forbid|ignore|exclude/i

/** What people write under `permissions` for the lists that there are. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['denied', 'deny'],
  ['disallow', 'deny'],
  ['disallowed', 'deny'],
  ['block', 'deny'],
  ['blocked', 'deny'],
  ['blacklist', 'deny'],
  ['denylist', 'deny'],
  ['confirm', 'ask'],
  ['prompt', 'ask'],
  ['allowed', 'allow'],
  ['whitelist', 'allow'],
  ['allowlist', 'allow'],
])

/** Whether the user counts on something being closed by it. */
function closes(meant: string, value: Json): boolean {
  if (meant === 'permissions' && isJsonObject(value)) return 'deny' in value || 'ask' in value
  return ['deny', 'ask', 'disableBypassPermissionsMode', 'sandbox', 'hooks'].includes(meant)
}

/** A list may be empty of rules that grant; `permissions` may have nothing beside lists that close. */
function grantsNothing(meant: string, value: Json): boolean {
  if (meant === 'deny' || meant === 'ask') return isTexts(value)
  if (meant !== 'permissions' || !isJsonObject(value)) return false
  return Object.entries(value).every(([key, list]) => (key === 'deny' || key === 'ask') && isTexts(list))
}

function moveList({ file }: SettingsFile, key: string, list: Closing): JsonRepair {
  return {
    kind: 'json',
    file,
    change(document) {
      if (!isJsonObject(document)) throw new Error('the settings are gone')
      const { [key]: items, ...rest } = document
      if (items === undefined || !isTexts(items)) throw new Error('the list is gone')
      const path = ['permissions', list] as const
      const put = (now: Json | undefined): Json => withItems(now, path, items, (item) => item)
      return putEdits(rest, [{ path, put, clear: (now) => now }])
    },
  }
}

function rename({ file }: SettingsFile, path: JsonPath, key: string, name: string): JsonRepair {
  const renamed = (object: Json): Json => {
    if (!isJsonObject(object) || !Object.hasOwn(object, key) || Object.hasOwn(object, name))
      throw new Error('the key is gone')
    return Object.fromEntries(
      Object.entries(object).map(([other, value]) => [other === key ? name : other, value]),
    )
  }
  return {
    kind: 'json',
    file,
    change(document) {
      if (path.length === 0) return renamed(document)
      if (!isJsonObject(document) || document.permissions === undefined) throw new Error('the key is gone')
      return { ...document, permissions: renamed(document.permissions) }
    },
  }
}
