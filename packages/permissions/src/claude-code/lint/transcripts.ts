/** Transcripts of agents are in files that other agents may read. */

import { join } from 'node:path'

import { isJsonObject } from '@contextd/shared/json/value'
import { putEdits, withItems } from '@contextd/shared/json/json-edits'
import type { FindingDetails, JsonRepair, LintRule, Place } from '../../findings/finding.ts'
import { matchesPathRule } from '../rules/path-rule.ts'
import { jsonPlace } from '../read/json-file.ts'
import { ruleEffect } from '../rules/rule.ts'
import type { ClaudeSetup, RuleEntry, SettingsFile } from '../setup/setup.ts'
import { isGuardedByContextd } from './hooks/in-force.ts'

export const transcriptRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'readable-transcripts',
    severity: 'warning',
    title: 'Transcripts of agents are readable',
    why: 'Claude Code stores the conversation of every agent under `~/.claude/projects`, including its instructions, keys in them and everything it loaded. The agent that started it may read that file without any rule, as well as large tool outputs in `tool-results`, as they were before hooks changed them. Three deny rules prevent this:\n\n```json\n"deny": ["Read(//**/subagents/**)", "Read(//**/tasks/[ac-jln-rt-z]*.output)", "Read(//**/tool-results/**)"]\n```\n\nNot reported if `contextd hook protect` runs before every tool: it knows which agent owns each file.',
    check: readableTranscripts,
  },
]

/**
 * Of subagents, teammates and workflows. The others (`b`, `k`, `m`, `s`) are of commands and MCP servers. Letters that
 * are allowed cannot be named: the client reads `[!b]` as `!` or `b`.
 */
const agentOutputs = 'Read(//**/tasks/[ac-jln-rt-z]*.output)'

/** The required deny rules, each with a sample path that it must deny. */
function requiredDenies({
  config,
}: ClaudeSetup): readonly { readonly rule: string; readonly path: string }[] {
  const session = join(config, 'projects', '-project', '00000000-0000-4000-8000-000000000000')
  return [
    { rule: 'Read(//**/subagents/**)', path: join(session, 'subagents', 'agent-a1.jsonl') },
    { rule: agentOutputs, path: '/tmp/claude-1000/-project/session/tasks/a1.output' },
    // A teammate's.
    { rule: agentOutputs, path: '/tmp/claude-1000/-project/session/tasks/t1.output' },
    { rule: 'Read(//**/tool-results/**)', path: join(session, 'tool-results', 'b1.txt') },
  ]
}

function readableTranscripts(setup: ClaudeSetup): FindingDetails[] {
  const { agents, settings } = setup
  if (agents.length === 0 || isGuardedByContextd(setup)) return []
  const denied = settings.flatMap((file) => file.rules.filter(({ list }) => list === 'deny'))
  // Without Read and a shell, no agent can read files.
  if (['Read', 'Bash'].every((tool) => denied.some(({ text }) => text === tool))) return []
  const open = requiredDenies(setup).filter(({ path }) => !denied.some((entry) => denies(entry, path, setup)))
  const missing = [...new Set(open.map(({ rule }) => rule))]
  if (missing.length === 0) return []
  const target = ['project', 'local', 'user']
    .map((level) => settings.find((file) => file.level === level))
    .find((file) => file !== undefined)
  return [
    {
      ...placeOf(target, setup),
      message: 'Any agent may read the full transcripts and loaded content of the agents it started.',
      fix: `Add to \`permissions.deny\`: ${missing.map((rule) => `\`${rule}\``).join(', ')}.`,
      ...(target !== undefined && { repairs: [addDenies(target, missing)] }),
    },
  ]
}

function denies(entry: RuleEntry, path: string, setup: ClaudeSetup): boolean {
  const effect = ruleEffect(entry)
  if (!effect.works || effect.rule.tool !== 'Read' || effect.rule.content === undefined) return false
  return matchesPathRule(effect.rule.content, entry.level, path, setup)
}

/** The deny list of the settings file; without settings, the first agent. */
function placeOf(settings: SettingsFile | undefined, { agents, project }: ClaudeSetup): Place {
  if (settings === undefined) return { file: agents[0]?.file ?? project, line: 1, column: 1 }
  const { file, document } = settings
  const path = [['permissions', 'deny'], ['permissions'], []].find((at) => document.locate(at) !== undefined)
  return { file, ...jsonPlace(document, path ?? [], 'key') }
}

function addDenies({ file }: SettingsFile, rules: readonly string[]): JsonRepair {
  const path = ['permissions', 'deny'] as const
  return {
    kind: 'json',
    file,
    change(document) {
      if (!isJsonObject(document)) throw new Error('the settings are gone')
      return putEdits(document, [
        { path, put: (now) => withItems(now, path, rules, (rule) => rule), clear: (now) => now },
      ])
    },
  }
}
