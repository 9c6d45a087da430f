/** Files that the client cannot read, or reads otherwise than a person would. The reader notes them; here they are said. */

import type { FileProblem } from '../../../permissions/client-files.ts'
import type { LintRule } from '../../../permissions/finding.ts'
import type { ClaudeSetup } from '../setup.ts'

export const problemRules: readonly LintRule<ClaudeSetup>[] = [
  problemRule('unreadable', {
    id: 'unreadable-file',
    severity: 'error',
    title: 'A file that cannot be read',
    why: 'Something stands where the client expects one of its files, and it cannot be read as one: a link to nothing, a folder, a pipe, a file without the rights to read it or one of unreasonable size. Whatever it should deny is not denied. Where there are more agents and skills than contextd reads, the first that is left out is named: nothing is said of it and of those after it.',
  }),
  problemRule('malformed', {
    id: 'malformed-file',
    severity: 'error',
    title: 'A file that is not well-formed',
    why: 'Claude Code says nothing about it when it runs without a terminal: it goes on as if the file were not there, or were another. Deny rules in it are gone with the rest.',
  }),
  problemRule('comments', {
    id: 'comments-in-json',
    severity: 'error',
    title: 'Comments in plain JSON',
    why: 'Editors take comments and a comma behind the last item for granted in files like this. Claude Code reads plain JSON: one comment, and the file counts for nothing.',
  }),
  problemRule('duplicate-key', {
    id: 'duplicate-key',
    severity: 'error',
    title: 'A key that is given twice',
    why: 'The last one counts and the others are as if they were not written. A second `deny` further down takes away all that the first one denies.',
  }),
  problemRule('wrong-shape', {
    id: 'wrong-shape',
    severity: 'error',
    title: 'A value that the client cannot use',
    why: 'Claude Code checks its settings as a whole. A known key with a value of the wrong type, an unknown `defaultMode`, or a hook of PreToolUse or PermissionRequest that cannot be loaded makes it ignore **the whole file**, deny rules included, without a word when there is no terminal. Elsewhere only the part that is wrong is dropped.',
  }),
  problemRule('unread', {
    id: 'unread-file',
    severity: 'warning',
    title: 'A file that looks like one of the client and is never read',
    why: 'Claude Code reads `settings.json` and `settings.local.json` in `.claude`, `settings.json` alone in `~/.claude`, servers in `.mcp.json` in the folder of the project, and agents in `.claude/agents`, from Markdown that begins with a frontmatter. It does not say what it passes over: `settings.locale.json`, `settings.jsonc`, `.claude/mcp.json`, `mcp.json`, `.claude/agent/`. It is an error where such a file should deny something or brings hooks.\n\nWhere you start the client with `--settings` or `--mcp-config` and such a file, leave the finding out with `--ignore unread-file:<file>`.',
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
