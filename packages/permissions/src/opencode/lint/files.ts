/** Files that OpenCode cannot read or misreads, unknown keys, and secrets in files. */

import { nearest } from '@contextd/shared/text/nearest'
import { positionAt } from '@contextd/shared/json/text-position'
import type { LintRule } from '../../findings/finding.ts'
import type { OpenCodeSetup } from '../setup.ts'
import { definitionsIn, sourcePlace } from '../written.ts'
import { wrongShapes } from './shapes.ts'
import { quote } from './wording.ts'

export const brokenFile: LintRule<OpenCodeSetup> = {
  id: 'opencode-broken-file',
  severity: 'error',
  title: 'a file that OpenCode cannot read as intended',
  why: `With a configuration that is not JSON, or has a value of an unexpected type (\`color: purple\` of an agent is enough), OpenCode refuses to start; comments and trailing commas are fine in \`.json\` and \`.jsonc\`. The frontmatter of an agent is worse: if it is not valid YAML (an unquoted \`*\`, a duplicate key, a blank line before it), OpenCode silently uses the whole file as the prompt. The agent exists, but its \`permission\` denies nothing.`,
  *check(setup) {
    for (const { kind, ...problem } of setup.problems) if (kind !== 'duplicate-key') yield problem
    yield* wrongShapes(setup)
  },
}

const duplicateKey: LintRule<OpenCodeSetup> = {
  id: 'opencode-duplicate-key',
  severity: 'error',
  title: 'a duplicate key: only the last one applies',
  why: `If a file has two \`permission\` keys, or two rules for one tool, OpenCode uses the last and silently ignores the other. What the first one denies is not denied. In the frontmatter of an agent, a duplicate key voids all of it: see \`opencode-broken-file\`.`,
  *check({ problems }) {
    for (const { kind, ...problem } of problems) if (kind === 'duplicate-key') yield problem
  },
}

const unknownKey: LintRule<OpenCodeSetup> = {
  id: 'opencode-unknown-key',
  severity: 'error',
  title: 'an unknown key where `permission` was meant',
  why: `OpenCode ignores unknown keys, and treats those of an agent as model options. A misspelled \`permission\` denies nothing. Neither do the keys of other clients: \`allowedTools\`, \`disallowedTools\`, \`allow\`, \`deny\`.`,
  *check(setup) {
    for (const { source, path, value, agent } of definitionsIn(setup.sources)) {
      const known = agent === undefined ? configKeys : agentKeys
      for (const key of Object.keys(value)) {
        if (known.has(key)) continue
        const isMeant = otherClients.has(key) ? agent === undefined || source.kind === 'config' : false
        if (!isMeant && nearest(key, ['permission']) === undefined) continue
        yield {
          ...sourcePlace(source, [...path, key]),
          message: `OpenCode does not know ${quote(key, setup)}: nothing in it is denied.`,
          fix: 'Rename it to `permission`, with `"allow"`, `"ask"` or `"deny"` for each tool.',
        }
      }
    }
  },
}

/** Keys that restrict tools in other clients. In an agent's frontmatter, opencode-claude-frontmatter reports them. */
const otherClients = new Set(['allow', 'allowedTools', 'allowed_tools', 'ask', 'deny', 'disallowedTools'])

const configKeys = new Set(
  (
    '$schema agent agents attachment autoshare autoupdate command commands compaction ' +
    'default_agent disabled_providers enabled_providers enterprise experimental formatter ' +
    'instructions keybinds layout logLevel lsp mcp mcpServers media mode model permission ' +
    'permissions plugin plugins provider providers reference references server share shell ' +
    'skills small_model snapshot snapshots subagent_depth theme tool_output tools tui ' +
    'username warming watcher websearch'
  ).split(' '),
)

const agentKeys = new Set(
  (
    'color description disable hidden maxSteps mode model name options permission permissions ' +
    'prompt steps temperature tools top_p variant'
  ).split(' '),
)

const secretInFile: LintRule<OpenCodeSetup> = {
  id: 'opencode-secret-in-file',
  severity: 'warning',
  title: 'a secret in a configuration or in frontmatter',
  why: `Everyone who has the project can read its configuration, and so can the agents. OpenCode can insert values when it reads the file: \`{env:NAME}\` from the environment, \`{file:~/path}\` from a private file.`,
  *check({ sources, secretsIn }) {
    for (const source of sources) {
      const text = source.kind === 'config' ? source.text : source.text.slice(0, source.body)
      for (const { start } of secretsIn(text)) {
        // A byte order mark does not occupy a column.
        const skipped = text.startsWith('\uFEFF') ? 1 : 0
        yield {
          file: source.file,
          ...positionAt(text.slice(skipped), start - skipped),
          message: 'A plain-text secret, visible to everyone who can read the file.',
          fix:
            source.kind === 'config'
              ? 'Move it to the environment or a private file, and write `{env:NAME}` or `{file:~/path}` here. Then rotate it: it was exposed.'
              : 'Remove it from the file, and rotate it: it was exposed.',
        }
      }
    }
  },
}

export const fileRules = [brokenFile, duplicateKey, unknownKey, secretInFile]
