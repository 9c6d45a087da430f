/** Denied commands that are open again with one more word. */

import type { Found, LintRule } from '../../../../permissions/finding.ts'
import { decide } from '../../explain/explain.ts'
import { ruleEffect } from '../../rules/rule.ts'
import type { ClaudeSetup, RuleEntry } from '../../setup.ts'
import { replaceRule } from '../written-rules.ts'
import { placeText } from '../place-text.ts'

export const exactCommandRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'deny-exact-command',
    severity: 'error',
    title: 'A denied command that runs with one more word',
    why: '`Bash(npm publish)` means this command to the letter. `npm publish --tag next` is another one, and where `Bash(npm:*)` or `Bash` is allowed, it runs. `:*` stands for whatever follows: `Bash(npm publish:*)` also means the command alone.\n\nSaid only where a rule allows the longer command. `--fix` puts the wider rule in the place of the narrow one.',
    check(setup) {
      // Also what a project allows that nobody trusts yet: that is one question away.
      const trusted = { ...setup, isTrusted: true }
      return setup.settings.flatMap(({ rules }) => rules.flatMap((entry) => narrow(entry, trusted)))
    },
  },
]

/** A word that no rule has; the client does not look at what a flag says. */
const oneMore = '--one-more-word'

function narrow(entry: RuleEntry, setup: ClaudeSetup): Found[] {
  const { list, text, file, line, column } = entry
  const effect = list === 'allow' ? undefined : ruleEffect(entry)
  const content = effect?.works === true && effect.rule.tool === 'Bash' ? effect.rule.content : undefined
  // What has operators of the shell is more than one command.
  if (content === undefined || !/^[\w./@=+-]+(?: [\w./@=:+-]+)*$/.test(content)) return []
  const longer = `${content} ${oneMore}`
  const asked = { tool: `Bash(${longer})`, cliAllow: [], cliDeny: [] }
  const { decision, decidedBy } = decide(setup, asked)
  if (decision !== 'allow' || decidedBy.list !== 'allow') return []
  const { file: at, line: row, column: start } = decidedBy
  const by = at === null ? '' : ` (${placeText({ file: at, line: row ?? 1, column: start ?? 1 }, setup)})`
  const meant = `Bash(${content}:*)`
  const verb = list === 'deny' ? 'denies' : 'asks about'
  return [
    {
      file,
      line,
      column,
      message: `\`${text}\` ${verb} this very command only: with one more word \`${decidedBy.rule}\`${by} lets it run.`,
      fix: `Write \`${meant}\`.`,
      repairs: [replaceRule(entry, [meant])],
    },
  ]
}
