/** Settings of the client's own sandbox that do less, or more, than they look like. */

import { isJsonObject } from '@contextd/shared/json/value'
import type { FindingDetails, LintRule } from '../../../findings/finding.ts'
import { isOfProject, saidOfSandbox, sandboxIn, sandboxOf, textItems } from '../../explain/sandbox.ts'
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
    title: 'A project takes away the sandbox of the user',
    why: 'What `.claude/settings.json` says of the sandbox comes before what the user says, even before the workspace is trusted: `"enabled": false` there makes all commands run outside, and `"failIfUnavailable": false` lets the client start where the sandbox cannot. Only an administrator can keep a project from it, with `"allowUnsandboxedCommands": false` in the managed settings.',
    check: switchedOff,
  },
  {
    id: 'sandbox-without-asking',
    severity: 'note',
    title: 'A project lets commands run without asking',
    why: '`"autoAllowBashIfSandboxed": true` in the settings of a project applies to everyone who has the sandbox on, even before they trust the workspace: all commands that stay in the sandbox run without asking, and a rule that asks about all of `Bash` does not apply to them.',
    check: withoutAsking,
  },
  {
    id: 'deny-shallow-in-sandbox',
    severity: 'error',
    title: 'Denied files that sandboxed commands can read',
    why: '`Read(.env)` closes every `.env` of the project to the tools that read files, and to `cat`. In the sandbox it closes only the one at the top of the project: with `autoAllowBashIfSandboxed` the client leaves rules about paths to the sandbox, and `cat packages/a/.env` prints the file. `Read(**/.env)` holds in both.\n\n`--fix` adds that form.',
    check: shallow,
  },
  {
    id: 'sandbox-reopens-denied',
    severity: 'error',
    title: 'The sandbox allows what a rule denies',
    why: "In the sandbox `filesystem.allowRead` comes before rules that deny: a file that it names is open to commands although `Read(path)` denies it, even if the rule is the user's and the entry is in the settings of an untrusted project.",
    check: reopened,
  },
  {
    id: 'sandbox-exclusion-form',
    severity: 'warning',
    title: 'An excluded command written as a rule',
    why: '`excludedCommands` lists what would be inside the parentheses of a rule: `docker:*`, not `Bash(docker:*)`. In any other form, and with blanks around it, it matches no command, and what should run outside the sandbox runs in it.',
    check: ({ settings }) => settings.flatMap(misspelt),
  },
]

function switchedOff(setup: ClaudeSetup): FindingDetails[] {
  return (['enabled', 'failIfUnavailable'] as const).flatMap((key) => {
    const said = saidOfSandbox(setup, key)
    const person = setup.settings.find((file) => file.level === 'user' && sandboxIn(file, key) === true)
    if (person === undefined || said?.value !== false || said.file.level !== 'project') return []
    const path = ['sandbox', key]
    const place = placeText({ file: person.file, ...jsonPlace(person.document, path, 'key') }, setup)
    return findingIn(said.file, path, 'key', {
      message:
        key === 'enabled'
          ? `This switches off the sandbox that ${place} switches on: commands run outside, even before the workspace is trusted.`
          : `This takes back that ${place} requires the sandbox: where it cannot start, commands run without one.`,
      fix: 'Remove it.',
    })
  })
}

function withoutAsking(setup: ClaudeSetup): FindingDetails[] {
  const said = saidOfSandbox(setup, 'autoAllowBashIfSandboxed')
  if (said?.value !== true || said.file.level !== 'project') return []
  return [
    findingIn(said.file, ['sandbox', 'autoAllowBashIfSandboxed'], 'key', {
      message:
        'For anyone who opens this project with the sandbox on, commands run in it without asking, even before trusting it.',
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
        message: `In the sandbox \`${entry.text}\` closes only what is at the top of the project: below it, commands read such files without asking.`,
        fix: `Add \`${deep}\`.`,
        repairs: [replaceRule(entry, [entry.text, deep])],
      }),
    ]
  })
}

/** What a rule keeps from being read. */
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
          message: `This opens to commands what \`${rule.text}\` (${placeText(rule, setup)}) denies.`,
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

function misspelt(file: SettingsFile): FindingDetails[] {
  return textItems(sandboxIn(file, 'excludedCommands')).flatMap((text, index): FindingDetails[] => {
    const rule = parseRule(text.trim())
    const isRule = !('problem' in rule) && rule.tool === 'Bash' && rule.content !== undefined
    const meant = isRule ? rule.content.trim() : text.trim()
    if (meant === text || meant === '') return []
    return [
      findingIn(file, ['sandbox', 'excludedCommands', index], 'value', {
        message: `No command matches \`${text}\`: all of them stay in the sandbox.`,
        fix: `Write \`${meant}\`.`,
      }),
    ]
  })
}
