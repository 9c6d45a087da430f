/** Files that the client cannot read, or reads otherwise than a user would. The reader notes them; here they are said. */

import type { FileProblem } from '../../files/client-files.ts'
import type { LintRule } from '../../findings/finding.ts'
import type { ClaudeSetup } from '../setup/setup.ts'

export const problemRules: readonly LintRule<ClaudeSetup>[] = [
  problemRule('unreadable', {
    id: 'unreadable-file',
    severity: 'error',
    title: 'A file that cannot be read',
    why: 'The client expects one of its files here, but it cannot be read: a dangling link, a folder, a pipe, an unreadable or unreasonably large file. Whatever it should deny is not denied. Where there are more agents and skills than contextd reads, the first that is left out is named: nothing is said of it and of those after it.',
  }),
  problemRule('malformed', {
    id: 'malformed-file',
    severity: 'error',
    title: 'A malformed file',
    why: 'Without a terminal, Claude Code does not report it: it continues as if the file were missing, or different. Its deny rules are lost too.',
  }),
  problemRule('comments', {
    id: 'comments-in-json',
    severity: 'error',
    title: 'Comments in plain JSON',
    why: 'Editors accept comments and trailing commas in files like this. Claude Code reads plain JSON: one comment, and the whole file is ignored.',
  }),
  problemRule('duplicate-key', {
    id: 'duplicate-key',
    severity: 'error',
    title: 'A duplicate key',
    why: 'The last one applies and the others are ignored. A second `deny` further down voids everything the first one denies.',
  }),
  problemRule('wrong-shape', {
    id: 'wrong-shape',
    severity: 'error',
    title: 'A value that the client cannot use',
    why: 'Claude Code checks its settings as a whole. A known key with a value of the wrong type, an unknown `defaultMode`, or a hook of PreToolUse or PermissionRequest that cannot be loaded makes it ignore **the whole file**, deny rules included, silently when there is no terminal. Elsewhere only the part that is wrong is dropped.',
  }),
  problemRule('unread', {
    id: 'unread-file',
    severity: 'warning',
    title: 'A file that looks like a client file but is never read',
    why: 'Claude Code reads `settings.json` and `settings.local.json` in `.claude`, `settings.json` alone in `~/.claude`, servers in `.mcp.json` in the folder of the project, and agents in `.claude/agents`, from Markdown that begins with a frontmatter. It does not report what it ignores: `settings.locale.json`, `settings.jsonc`, `.claude/mcp.json`, `mcp.json`, `.claude/agent/`. It is an error where such a file should deny something or brings hooks.\n\nWhere you start the client with `--settings` or `--mcp-config` and such a file, leave the finding out with `--ignore unread-file:<file>`.',
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

function withoutKind({ kind: _kind, ...found }: FileProblem): Omit<FileProblem, 'kind'> {
  return found
}
