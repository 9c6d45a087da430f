/** Settings keys that the client does not read: misspelled, outdated or misplaced. */

import { isJsonObject, isTexts, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import { nearest } from '@contextd/shared/text/nearest'
import { putEdits, withItems } from '@contextd/shared/json/json-edits'
import type { FindingDetails, JsonRepair, LintRule } from '../../../findings/finding.ts'
import { jsonPlace } from '../../read/json-file.ts'
import { knownSettings, managedOnlySettings, permissionKeys } from '../../rules/settings-schema.ts'
import type { ClaudeSetup, SettingsFile } from '../../setup/setup.ts'
import {
  foreignRestrictions,
  hasForeignShape,
  meantLists,
  restrictionsOfTool,
  type MeantRule,
} from './foreign-shapes.ts'

export const settingsKeyRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'legacy-settings-key',
    severity: 'warning',
    title: 'A key of other tools or older versions',
    why: 'Claude Code accepts any key in its settings and reads those it knows. `allowed_tools`, `allowedTools`, `ignorePatterns` and the like are names of flags, of older versions or of other tools: they neither allow nor deny anything. Rules belong in `permissions.allow`, `permissions.ask` and `permissions.deny`.\n\n`--fix` moves deny lists. Allow lists are left to you: moving them would grant access that nobody has now.',
    check: ({ settings }) => settings.flatMap((file) => [...legacyKeys(file)]),
  },
  {
    id: 'misplaced-settings-key',
    severity: 'warning',
    title: 'A key in a place where it is not read',
    why: 'The client reads `allow`, `ask`, `deny`, `defaultMode` and `additionalDirectories` under `permissions`, MCP servers in `.mcp.json` or `~/.claude.json`, and settings for everyone on a machine only in managed settings. Anywhere else, these keys are silently ignored.\n\n`--fix` moves deny and ask lists.',
    check: ({ settings }) => settings.flatMap((file) => [...misplacedKeys(file)]),
  },
  {
    id: 'unknown-settings-key',
    severity: 'warning',
    title: 'A key that the client does not know',
    why: 'Claude Code ignores unknown keys, so a typo in a key disables everything under it. A key without a similar known one is only a note: a newer version may know it. Under `permissions` it is an error if the key should deny something: an action or a list per tool (`"bash": "deny"`, `"read": { "deny": ["*.env"] }`), the format of other tools, denies nothing here.\n\n`--fix` renames a key if it contains only deny and ask rules.',
    check: ({ settings }) => settings.flatMap((file) => [...unknownKeys(file)]),
  },
]

type RestrictiveList = 'deny' | 'ask'

/** `to`: the list it belongs to; undefined if its entries cannot be moved unchanged. */
interface Legacy {
  readonly to?: 'allow' | RestrictiveList
  readonly fix: string
}

const toAllow: Legacy = {
  to: 'allow',
  fix: 'Move the rules that you still want to `permissions.allow` and remove this key.',
}
const toDeny: Legacy = { to: 'deny', fix: 'Move the rules to `permissions.deny`.' }
const toPatterns: Legacy = { fix: 'Add `Read(<pattern>)` to `permissions.deny` for each of them.' }

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
    const finding = misplaced(file, key, value)
    if (finding !== undefined)
      yield { file: file.file, ...jsonPlace(file.document, [key], 'key'), ...finding }
  }
}

function misplaced(
  file: SettingsFile,
  key: string,
  value: Json,
): Omit<FindingDetails, 'file' | 'line' | 'column'> | undefined {
  if (permissionKey.has(key)) {
    const isRestrictive = key === 'deny' || key === 'ask'
    return {
      message: `Claude Code reads \`${key}\` under \`permissions\` and ignores it here.`,
      fix: 'Move it into `permissions`.',
      ...(isRestrictive && { severity: 'error' }),
      ...(isRestrictive && isTexts(value) && { repairs: [moveList(file, key, key)] }),
    }
  }
  if (key === 'mcpServers') {
    return {
      message: 'Claude Code does not read MCP servers from settings: none of these are started.',
      fix: 'Move them to `.mcp.json` of the project, or add them with `claude mcp add`.',
    }
  }
  if (managedOnlySettings.has(key) && file.level !== 'managed') {
    return {
      message: `\`${key}\` is read only from managed settings and ignored here.`,
      fix: 'Set it in the managed settings of the machine, or remove it.',
      severity: 'error',
    }
  }
  return undefined
}

/** Users put comments under such keys. */
const isComment = (key: string): boolean => /^(?:[_#]|\/\/)|comment/i.test(key)

function* unknownKeys(file: SettingsFile): Iterable<FindingDetails> {
  const { permissions } = file.value
  yield* unknownIn(file, [], file.value, {
    known: knownSettings,
    isReportedElsewhere: (key) =>
      legacyOf(key) !== undefined || permissionKey.has(key) || key === 'mcpServers',
  })
  if (!isJsonObject(permissions)) return
  yield* unknownIn(file, ['permissions'], permissions, {
    known: permissionKeys,
    isReportedElsewhere: () => false,
  })
}

interface Keys {
  readonly known: ReadonlyMap<string, unknown>
  /** Whether another lint rule reports it. */
  readonly isReportedElsewhere: (key: string) => boolean
}

function* unknownIn(
  file: SettingsFile,
  path: JsonPath,
  object: JsonObject,
  { known, isReportedElsewhere }: Keys,
): Iterable<FindingDetails> {
  for (const [key, value] of Object.entries(object)) {
    if (known.has(key) || isReportedElsewhere(key) || isComment(key)) continue
    const at = { file: file.file, ...jsonPlace(file.document, [...path, key], 'key') }
    const name = `\`${[...path, key].join('.')}\``
    const ignored = `Claude Code does not know ${name} and ignores its value`
    const restrictions = path.length === 0 && key !== 'permission' ? [] : restrictionsBy(path, key, value)
    if (restrictions.length > 0) {
      yield {
        ...at,
        message: `${ignored}: it denies nothing.`,
        fix: `Write rules for Claude Code in \`permissions\`: ${meantLists(restrictions)}.`,
        severity: 'error',
      }
      continue
    }
    const synonym = synonyms.get(key) ?? (path.length > 0 ? legacyOf(key)?.to : undefined)
    const meant = synonym !== undefined && known.has(synonym) ? synonym : nearest(key, [...known.keys()])
    if (meant === undefined) {
      const isRestrictive = path.length > 0 && restrictiveWord.test(key) && typeof value === 'object'
      yield isRestrictive
        ? {
            ...at,
            message: `${ignored}: it denies nothing.`,
            fix: legacyOf(key)?.fix ?? 'Add rules for what it should deny to `permissions.deny`.',
            severity: 'error',
          }
        : {
            ...at,
            severity: 'note',
            message: `Claude Code (2.1.325) does not know ${name} and ignores it.`,
            fix: 'Remove it, or check the spelling of its name.',
          }
      continue
    }
    const isRestrictive = restricts(meant, value)
    const isTaken = Object.hasOwn(object, meant)
    yield {
      ...at,
      message: `${ignored}${isRestrictive ? ': it denies nothing' : ''}.`,
      fix:
        key === 'permission' && hasForeignShape(value)
          ? 'Add the rules that you want to `permissions.allow`.'
          : isTaken
            ? `Move it to \`${meant}\`.`
            : `Did you mean \`${meant}\`? Rename it.`,
      ...(isRestrictive && { severity: 'error' }),
      ...(isRestrictive &&
        !isTaken &&
        grantsNothing(meant, value) && { repairs: [rename(file, path, key, meant)] }),
    }
  }
}

/** The rules meant by a key in a foreign format: one tool under `permissions`, or all of them in `permission`. */
function restrictionsBy(path: JsonPath, key: string, value: Json): MeantRule[] {
  return path.length === 0 ? foreignRestrictions(value) : restrictionsOfTool(key, value)
}

/** A list with such a name is meant to deny something; scalar settings may belong to a newer version. */
const restrictiveWord = /den(?:y|ied)|disallow|block|forbid|ignore|exclude/i

/** Wrong names of the lists under `permissions`. */
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

/** Whether the user relies on it to restrict something. */
function restricts(meant: string, value: Json): boolean {
  if (meant === 'permissions' && isJsonObject(value)) return 'deny' in value || 'ask' in value
  return ['deny', 'ask', 'disableBypassPermissionsMode', 'sandbox', 'hooks'].includes(meant)
}

/** Whether renaming is safe: `permissions` may contain nothing but deny and ask lists. */
function grantsNothing(meant: string, value: Json): boolean {
  if (meant === 'deny' || meant === 'ask') return isTexts(value)
  if (meant !== 'permissions' || !isJsonObject(value)) return false
  return Object.entries(value).every(([key, list]) => (key === 'deny' || key === 'ask') && isTexts(list))
}

function moveList({ file }: SettingsFile, key: string, list: RestrictiveList): JsonRepair {
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
