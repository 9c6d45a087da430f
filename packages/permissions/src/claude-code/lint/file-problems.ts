/** Reports the problems that the reader recorded: files that the client cannot read, or reads differently than a user would. */

import type { FileProblem } from '../../files/client-files.ts'
import type { LintRule } from '../../findings/finding.ts'
import type { ClaudeSetup } from '../setup/setup.ts'

export const problemRules: readonly LintRule<ClaudeSetup>[] = [
  problemRule('unreadable', {
    id: 'unreadable-file',
    severity: 'error',
    title: 'A file that cannot be read',
    why: 'The client expects one of its files here, but it cannot be read: a dangling link, a folder, a pipe, an unreadable or unreasonably large file. Whatever it should deny is not denied. If there are more agents and skills than contextd reads, the finding is at the first unread one: that file and those after it are not checked.',
  }),
  problemRule('malformed', {
    id: 'malformed-file',
    severity: 'error',
    title: 'A malformed file',
    why: 'Without a terminal, Claude Code does not report it: it continues as if the file were missing, or different. Its deny rules do not apply either.',
  }),
  problemRule('comments', {
    id: 'comments-in-json',
    severity: 'error',
    title: 'Comments in plain JSON',
    why: 'Editors accept comments and trailing commas in files like this. Claude Code reads plain JSON: a single comment makes it ignore the whole file.',
  }),
  problemRule('duplicate-key', {
    id: 'duplicate-key',
    severity: 'error',
    title: 'A duplicate key',
    why: 'The last one applies and the others are ignored. A second `deny` further down voids everything that the first one denies.',
  }),
  problemRule('wrong-shape', {
    id: 'wrong-shape',
    severity: 'error',
    title: 'A value that the client cannot use',
    why: 'Claude Code validates its settings as a whole. A known key with a value of the wrong type, an unknown `defaultMode`, or a PreToolUse or PermissionRequest hook that cannot be loaded makes it ignore **the whole file**, including deny rules, and silently if there is no terminal. Elsewhere only the invalid part is dropped.',
  }),
  problemRule('unread', {
    id: 'unread-file',
    severity: 'warning',
    title: 'A file that looks like a client file but is never read',
    why: 'Claude Code reads `settings.json` and `settings.local.json` in `.claude`, only `settings.json` in `~/.claude`, servers in `.mcp.json` in the project folder, and agents in `.claude/agents`, from Markdown that starts with frontmatter. It does not report what it ignores: `settings.locale.json`, `settings.jsonc`, `.claude/mcp.json`, `mcp.json`, `.claude/agent/`. It is an error if such a file contains deny rules or hooks.\n\nIf you pass such a file to the client with `--settings` or `--mcp-config`, ignore the finding with `--ignore unread-file:<file>`.',
  }),
]

function problemRule(
  kind: FileProblem['kind'],
  rule: Omit<LintRule<ClaudeSetup>, 'check'>,
): LintRule<ClaudeSetup> {
  return {
    ...rule,
    check: ({ problems }) => problems.filter((problem) => problem.kind === kind).map(withoutKind),
  }
}

function withoutKind({ kind: _kind, ...finding }: FileProblem): Omit<FileProblem, 'kind'> {
  return finding
}
