/** Denied commands that are open again with one more word. */

import { placeOf, type FindingDetails, type LintRule } from '../../../findings/finding.ts'
import { decide } from '../../explain/explain.ts'
import { ruleEffect } from '../../rules/rule.ts'
import type { ClaudeSetup, RuleEntry, SettingsFile } from '../../setup/setup.ts'
import { replaceRule } from '../places/written-rules.ts'
import { placeText } from '../places/place-text.ts'

export const exactCommandRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'deny-exact-command',
    severity: 'error',
    title: 'A denied command that runs with one more word',
    why: '`Bash(npm publish)` means this command to the letter. `npm publish --tag next` is another one, and where `Bash(npm:*)` or `Bash` is allowed, it runs. `:*` stands for whatever follows: `Bash(npm publish:*)` also means the command alone.\n\nSaid only where a rule allows the longer command. `--fix` puts the wider rule in the place of the narrow one.',
    check(setup) {
      // Also what a project allows that nobody trusts yet: that is one question away.
      const asked = { ...setup, isTrusted: true, settings: setup.settings.map(withoutExact) }
      const commands = setup.settings.flatMap(({ rules }) => rules.flatMap(exactCommand))
      const rules = asked.settings.reduce((sum, one) => sum + one.rules.length, 1)
      const looked = Math.ceil(maxCompared / rules)
      return [
        ...commands.slice(0, looked).flatMap((command) => narrow(command, asked)),
        ...tooMany(commands.slice(looked)),
      ]
    },
  },
]

/** What means a command to the letter says nothing of a longer one, and people have thousands of such rules. */
function withoutExact(settings: SettingsFile): SettingsFile {
  return { ...settings, rules: settings.rules.filter(({ text }) => !/^Bash\([^*]+\)$/.test(text)) }
}

/** Each command is compared with each rule: more than this is nobody's setup, and would take minutes. */
const maxCompared = 10_000_000

function tooMany([first, ...others]: readonly ExactCommand[]): FindingDetails[] {
  if (first === undefined) return []
  const more = others.length === 0 ? '' : `, nor are ${others.length} more`
  return [
    {
      ...placeOf(first.entry),
      message: `There are so many rules that this one is not compared with the others${more}: what it denies may run with one more word.`,
      fix: 'Write fewer rules, with `:*` at the end of each command.',
      severity: 'warning',
    },
  ]
}

/** A word that no rule has; the client does not look at what a flag says. */
const oneMore = '--one-more-word'

/** A rule against a command, to the letter. */
interface ExactCommand {
  readonly entry: RuleEntry
  readonly content: string
}

function exactCommand(entry: RuleEntry): ExactCommand[] {
  const effect = entry.list === 'allow' ? undefined : ruleEffect(entry)
  const content = effect?.works === true && effect.rule.tool === 'Bash' ? effect.rule.content : undefined
  // What has operators of the shell is more than one command.
  const isOne = content !== undefined && /^[\w./@=+-]+(?: [\w./@=:+-]+)*$/.test(content)
  return isOne ? [{ entry, content }] : []
}

function narrow({ entry, content }: ExactCommand, setup: ClaudeSetup): FindingDetails[] {
  const { list, text } = entry
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
      ...placeOf(entry),
      message: `\`${text}\` ${verb} this very command only: with one more word \`${decidedBy.rule}\`${by} lets it run.`,
      fix: `Write \`${meant}\`.`,
      repairs: [replaceRule(entry, [meant])],
    },
  ]
}
