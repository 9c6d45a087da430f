/** Settings of the client's sandbox that do less, or more, than they seem to. */

import { isJsonObject } from '@contextd/shared/json/value'
import type { FindingDetails, LintRule } from '../../../findings/finding.ts'
import { isOfProject, sandboxSwitch, sandboxIn, sandboxOf, textItems } from '../../explain/sandbox.ts'
import { jsonPlace } from '../../read/json-file.ts'
import { absolutePath, matchesPathRule } from '../../rules/path-rule.ts'
import { parseRule, ruleEffect } from '../../rules/rule.ts'
import type { ClaudeSetup, RuleEntry, SettingsFile } from '../../setup/setup.ts'
import { findingAt, findingIn } from '../places/finding-at.ts'
import { replaceRule } from '../places/written-rules.ts'
import { placeText } from '../places/place-text.ts'

export const sandboxRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'sandbox-switched-off',
    severity: 'warning',
    title: "A project disables the user's sandbox",
    why: 'Sandbox settings in `.claude/settings.json` override those of the user, even before the workspace is trusted: `"enabled": false` makes all commands run outside the sandbox, and `"failIfUnavailable": false` lets the client start even if the sandbox cannot. Only an administrator can prevent this, with `"allowUnsandboxedCommands": false` in the managed settings.',
    check: disabledByProject,
  },
  {
    id: 'sandbox-without-asking',
    severity: 'note',
    title: 'A project lets commands run without asking',
    why: '`"autoAllowBashIfSandboxed": true` in the settings of a project applies to everyone who has enabled the sandbox, even before they trust the workspace: all commands that stay in the sandbox run without asking, and a rule that asks about all of `Bash` does not apply to them.',
    check: withoutAsking,
  },
  {
    id: 'deny-shallow-in-sandbox',
    severity: 'error',
    title: 'Denied files that sandboxed commands can read',
    why: '`Read(.env)` denies every `.env` of the project to the tools that read files, and to `cat`. In the sandbox it denies only the one at the top of the project: with `autoAllowBashIfSandboxed` the client leaves path rules to the sandbox, and `cat packages/a/.env` prints the file. `Read(**/.env)` works in both cases.\n\n`--fix` adds that form.',
    check: shallow,
  },
  {
    id: 'sandbox-reopens-denied',
    severity: 'error',
    title: 'The sandbox allows what a rule denies',
    why: "In the sandbox `filesystem.allowRead` overrides deny rules: commands can read a listed file although `Read(path)` denies it, even if the rule is the user's and the entry is in the settings of an untrusted project.",
    check: reopened,
  },
  {
    id: 'sandbox-exclusion-form',
    severity: 'warning',
    title: 'An excluded command written as a rule',
    why: '`excludedCommands` lists what would be inside the parentheses of a rule: `docker:*`, not `Bash(docker:*)`. An entry in any other form, or with surrounding spaces, matches no command, and what should run outside the sandbox runs in it.',
    check: ({ settings }) => settings.flatMap(misspelled),
  },
]

function disabledByProject(setup: ClaudeSetup): FindingDetails[] {
  return (['enabled', 'failIfUnavailable'] as const).flatMap((key) => {
    const effective = sandboxSwitch(setup, key)
    const user = setup.settings.find((file) => file.level === 'user' && sandboxIn(file, key) === true)
    if (user === undefined || effective?.value !== false || effective.file.level !== 'project') return []
    const path = ['sandbox', key]
    const place = placeText({ file: user.file, ...jsonPlace(user.document, path, 'key') }, setup)
    return findingIn(effective.file, path, 'key', {
      message:
        key === 'enabled'
          ? `This disables the sandbox that ${place} enables: commands run outside of it, even before the workspace is trusted.`
          : `This overrides ${place}, which requires the sandbox: if it cannot start, commands run without one.`,
      fix: 'Remove it.',
    })
  })
}

function withoutAsking(setup: ClaudeSetup): FindingDetails[] {
  const effective = sandboxSwitch(setup, 'autoAllowBashIfSandboxed')
  if (effective?.value !== true || effective.file.level !== 'project') return []
  return [
    findingIn(effective.file, ['sandbox', 'autoAllowBashIfSandboxed'], 'key', {
      message:
        'For anyone who opens this project with the sandbox enabled, commands run in it without asking, even before they trust it.',
      fix: 'Let each user choose: set it in `~/.claude/settings.json` or `.claude/settings.local.json`.',
    }),
  ]
}

function shallow(setup: ClaudeSetup): FindingDetails[] {
  if (sandboxOf(setup)?.unasked === undefined) return []
  const denies = setup.settings.flatMap((file) => file.rules).filter(({ list }) => list === 'deny')
  const written = new Set(denies.map(({ text }) => text))
  return denies.flatMap((entry): FindingDetails[] => {
    const content = deniedPath(entry)
    if (content === undefined || /^[~!]|\//.test(content) || /^\*+$/.test(content)) return []
    const deep = `Read(**/${content})`
    if (written.has(deep)) return []
    return [
      findingAt(entry, {
        message: `In the sandbox, \`${entry.text}\` denies only the file at the top of the project: commands can read such files in subfolders without asking.`,
        fix: `Add \`${deep}\`.`,
        repairs: [replaceRule(entry, [entry.text, deep])],
      }),
    ]
  })
}

/** The path that a rule denies reading. */
function deniedPath(entry: RuleEntry): string | undefined {
  const effect = ruleEffect(entry)
  return entry.list === 'deny' && effect.works && effect.rule.tool === 'Read'
    ? effect.rule.content
    : undefined
}

function reopened(setup: ClaudeSetup): FindingDetails[] {
  if (sandboxOf(setup) === undefined) return []
  const denies = setup.settings.flatMap((file) => file.rules)
  return setup.settings.flatMap((file) =>
    allowedReads(file).flatMap((text, index): FindingDetails[] => {
      const folder = isOfProject(file.level) ? setup.project : setup.config
      const path = absolutePath(text, setup, folder)
      const rule = denies.find((entry) => {
        const content = deniedPath(entry)
        return content !== undefined && matchesPathRule(content, entry.level, path, setup)
      })
      if (rule === undefined) return []
      return [
        findingIn(file, ['sandbox', 'filesystem', 'allowRead', index], 'value', {
          message: `This lets commands read what \`${rule.text}\` (${placeText(rule, setup)}) denies.`,
          fix: 'Remove one of them.',
        }),
      ]
    }),
  )
}

function allowedReads(file: SettingsFile): readonly string[] {
  const filesystem = sandboxIn(file, 'filesystem')
  return isJsonObject(filesystem) ? textItems(filesystem.allowRead) : []
}

function misspelled(file: SettingsFile): FindingDetails[] {
  return textItems(sandboxIn(file, 'excludedCommands')).flatMap((text, index): FindingDetails[] => {
    const rule = parseRule(text.trim())
    const isRule = !('problem' in rule) && rule.tool === 'Bash' && rule.content !== undefined
    const meant = isRule ? rule.content.trim() : text.trim()
    if (meant === text || meant === '') return []
    return [
      findingIn(file, ['sandbox', 'excludedCommands', index], 'value', {
        message: `No command matches \`${text}\`: all commands stay in the sandbox.`,
        fix: `Write \`${meant}\`.`,
      }),
    ]
  })
}
