/** Claude Code setups from files that a test defines. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

import { readSetup } from '../src/claude-code/read/read-setup.ts'
import type { ClaudeSetup } from '../src/claude-code/setup/setup.ts'
import type { LintFinding, LintRule } from '../src/findings/finding.ts'
import { repair } from '../src/findings/repair.ts'

/** By path below `project`, `home` or `managed`. Values other than strings are written as JSON. */
export type ClaudeFiles = Readonly<Record<string, unknown>>

export interface Checked {
  /** `severity file:line: message`. */
  readonly lines: readonly string[]
  readonly fixes: readonly string[]
  /** The repaired files. */
  readonly repaired: Readonly<Record<string, string>>
}

/** Runs a rule on these files. `adjust` adds what is not in files, such as the tools of servers. */
export function check(
  rule: LintRule<ClaudeSetup> | undefined,
  files: ClaudeFiles,
  adjust: (setup: ClaudeSetup) => ClaudeSetup = (setup) => setup,
): Checked {
  if (rule === undefined) throw new Error('No such rule')
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-claude-files-')))
  try {
    const texts = writeFiles(root, files)
    const setup = adjust(setupIn(root))
    const findings = Array.from(rule.check(setup), (details): LintFinding => ({
      severity: rule.severity,
      ...details,
      rule: rule.id,
    }))
    const { texts: changed } = repair(findings, (file) => texts.get(file))
    return {
      lines: findings.map(
        ({ severity, file, line, message }) => `${severity} ${relative(root, file)}:${line}: ${message}`,
      ),
      fixes: findings.map(({ fix }) => fix),
      repaired: Object.fromEntries(Array.from(changed, ([file, text]) => [relative(root, file), text])),
    }
  } finally {
    rmSync(root, { recursive: true })
  }
}

function writeFiles(root: string, files: ClaudeFiles): Map<string, string> {
  const project = join(root, 'project')
  const trusted = { projects: { [project]: { hasTrustDialogAccepted: true } } }
  const all = Object.entries({ 'home/.claude.json': trusted, 'project/.keep': '', ...files })
  return new Map(
    all.map(([name, content]) => {
      const file = join(root, name)
      const template = typeof content === 'string' ? content : JSON.stringify(content, null, 2)
      const text = template.replaceAll('$ROOT', root)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      return [file, text]
    }),
  )
}

function setupIn(root: string): ClaudeSetup {
  const home = join(root, 'home')
  return readSetup(
    {
      project: join(root, 'project'),
      home,
      config: join(home, '.claude'),
      state: join(home, '.claude.json'),
      managed: join(root, 'managed'),
    },
    { secretsIn: () => [] },
  )
}

/** A plugin with these servers that the user has enabled. */
export function pluginFiles(plugin: string, servers: Readonly<Record<string, unknown>>): ClaudeFiles {
  return {
    'home/.claude/settings.json': { enabledPlugins: { [`${plugin}@market`]: true } },
    'home/.claude/plugins/known_marketplaces.json': {
      market: {
        source: { source: 'directory', path: '$ROOT/home/market' },
        installLocation: '$ROOT/home/market',
      },
    },
    'home/market/.claude-plugin/marketplace.json': {
      name: 'market',
      owner: { name: 'Example' },
      plugins: [{ name: plugin, source: `./${plugin}` }],
    },
    [`home/market/${plugin}/.mcp.json`]: { mcpServers: servers },
  }
}

export function serverFile(...names: readonly string[]): ClaudeFiles {
  const servers = names.map((name) => [name, { command: 'serve', args: [name] }])
  return { 'project/.mcp.json': { mcpServers: Object.fromEntries(servers) } }
}

export function rulesFile(permissions: Readonly<Record<string, readonly string[]>>): ClaudeFiles {
  return { 'project/.claude/settings.json': { permissions } }
}

/** An agent of the project with these lines of frontmatter. */
export function agentFile(name: string, ...lines: readonly string[]): ClaudeFiles {
  const text = ['---', `name: ${name}`, `description: Does ${name}`, ...lines, '---', '', 'Work.', '']
  return { [`project/.claude/agents/${name}.md`]: text.join('\n') }
}
