/** Denied commands that are allowed with one more argument. */

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
    title: 'A denied command that runs with one more argument',
    why: '`Bash(npm publish)` matches exactly this command. `npm publish --tag next` is a different one, and if `Bash(npm:*)` or `Bash` is allowed, it runs. `:*` matches any arguments: `Bash(npm publish:*)` also matches the command alone.\n\nReported only if a rule allows the longer command. `--fix` replaces the narrow rule with the wider one.',
    check(setup) {
      // Includes allow rules of a project that is not trusted yet: trusting it takes one prompt.
      const trusted = { ...setup, isTrusted: true, settings: setup.settings.map(withoutExact) }
      const commands = setup.settings.flatMap(({ rules }) => rules.flatMap(exactCommand))
      const rules = trusted.settings.reduce((sum, one) => sum + one.rules.length, 1)
      const maxCommands = Math.ceil(maxComparisons / rules)
      return [
        ...commands.slice(0, maxCommands).flatMap((command) => narrow(command, trusted)),
        ...tooMany(commands.slice(maxCommands)),
      ]
    },
  },
]

/** Exact rules cannot match a longer command, and users have thousands of them. */
function withoutExact(settings: SettingsFile): SettingsFile {
  return { ...settings, rules: settings.rules.filter(({ text }) => !/^Bash\([^*]+\)$/.test(text)) }
}

/** Each command is compared with each rule. No real setup needs more, and it would take minutes. */
const maxComparisons = 10_000_000

function tooMany([first, ...others]: readonly ExactCommand[]): FindingDetails[] {
  if (first === undefined) return []
  const more = others.length === 0 ? '' : `, nor ${others.length === 1 ? 'is' : 'are'} ${others.length} more`
  return [
    {
      ...placeOf(first.entry),
      message: `There are so many rules that this one is not compared with the others${more}: the command it denies may run with one more argument.`,
      fix: 'Write fewer rules, with `:*` at the end of each command.',
      severity: 'warning',
    },
  ]
}

/** An argument that is in no rule; the client does not interpret flags. */
const extraArgument = '--one-more-word'

/** A deny or ask rule for exactly one command. */
interface ExactCommand {
  readonly entry: RuleEntry
  readonly content: string
}

function exactCommand(entry: RuleEntry): ExactCommand[] {
  const effect = entry.list === 'allow' ? undefined : ruleEffect(entry)
  const content = effect?.works === true && effect.rule.tool === 'Bash' ? effect.rule.content : undefined
  // Shell operators separate several commands.
  const isSingle = content !== undefined && /^[\w./@=+-]+(?: [\w./@=:+-]+)*$/.test(content)
  return isSingle ? [{ entry, content }] : []
}

function narrow({ entry, content }: ExactCommand, setup: ClaudeSetup): FindingDetails[] {
  const { list, text } = entry
  const longer = `${content} ${extraArgument}`
  const question = { tool: `Bash(${longer})`, cliAllow: [], cliDeny: [] }
  const { decision, decidedBy } = decide(setup, question)
  if (decision !== 'allow' || decidedBy.list !== 'allow') return []
  const { file: at, line: row, column: start } = decidedBy
  const by = at === null ? '' : ` (${placeText({ file: at, line: row ?? 1, column: start ?? 1 }, setup)})`
  const meant = `Bash(${content}:*)`
  const verb = list === 'deny' ? 'denies' : 'asks about'
  return [
    {
      ...placeOf(entry),
      message: `\`${text}\` ${verb} exactly this command: with one more argument, \`${decidedBy.rule}\`${by} allows it.`,
      fix: `Write \`${meant}\`.`,
      repairs: [replaceRule(entry, [meant])],
    },
  ]
}
