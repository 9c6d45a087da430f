/** `ctxd rules`: check, explain, test and change the rules. */

import { Option, type Command } from 'commander'

import { identityLevels, OWN_SERVER, type IdentityLevel } from '../../../core/call.ts'
import { errorCatalogue } from '../../../core/errors/errors.ts'
import type { PolicyExplainResponseJson as Explained } from '../../../servers/control/gen/contextd/v1/policy_pb.ts'
import { withControl } from '../../support/control.ts'
import { when } from '../../support/when.ts'
import { hintMeantName } from '../../support/known-names.ts'
import {
  newCommand,
  newGroup,
  paint,
  printJson,
  printLine,
  processIo,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { wholeNumber } from '@contextd/shared/cli/whole-number'
import { changeCommands } from './change.ts'
import type { RulesEditorOptions } from './edit.ts'
import type { SuggestOptions } from './suggest/suggest.ts'
import { checkRulesFile, printProblems, rulesFileAt } from './check.ts'

interface ExplainOptions extends JsonOption {
  readonly agent: string
  readonly server: string
  readonly tool: string
  readonly level: IdentityLevel
}

export function rulesCommand(io: CliIo = processIo()): Command {
  const group = newGroup('rules', 'check, explain, test and change the rules', 'ctxd rules check')
    .addCommand(
      newCommand('check', 'report all problems in a rules file', 'ctxd rules check .contextd/rules.json')
        .argument('[file]', 'the rules file; your own by default')
        .action((file: string | undefined, options: JsonOption) => checkRulesFile(file, options, io)),
    )
    .addCommand(
      newCommand(
        'explain',
        'print the decision and every matching rule',
        'ctxd rules explain --agent main --server contextd --tool read_more',
      )
        .requiredOption('--agent <id>', 'agent ID or alias (required)')
        .requiredOption('--server <name>', "server; `contextd` for contextd's own tools (required)")
        .requiredOption('--tool <name>', 'tool (required)')
        .addOption(
          new Option('--level <level>', 'identity level of the caller')
            .choices(identityLevels)
            .default('attested'),
        )
        .action((options: ExplainOptions) => explainRules(options, io)),
    )
    .addCommand(
      newCommand('test', 'run the examples of a rules file', 'ctxd rules test .contextd/rules.json')
        .argument('<file>', 'the rules file')
        .action((file: string, options: JsonOption) => testRules(file, options, io)),
    )
  for (const command of changeCommands(io)) group.addCommand(command)
  group.addCommand(
    newCommand(
      'edit',
      'edit your rules in $VISUAL or $EDITOR, checked before they are installed',
      'ctxd rules edit',
    )
      .option('--file <path>', 'install this text instead of opening an editor')
      .option('--yes', 'skip the confirmation')
      .action(async (options: RulesEditorOptions) => (await import('./edit.ts')).editRules(options, io)),
  )
  group.addCommand(
    newCommand(
      'suggest',
      'propose the smallest changes that would allow the last refusals, and say what else they open',
      'ctxd rules suggest --agent main --since 1h',
    )
      .option('--agent <id>', 'refusals of this agent')
      .option('--since <when>', 'start: a time, or an age (90s, 15m, 24h, 7d); 24h by default', when)
      .option('-n, --limit <count>', 'maximum number of different refusals', wholeNumber(1, 1000), 10)
      .action(async (options: SuggestOptions) =>
        (await import('./suggest/suggest.ts')).suggestRules(options, io),
      ),
  )
  return group
}

async function explainRules({ json, ...request }: ExplainOptions, io: CliIo): Promise<void> {
  const answered = await withControl(io, (api) => api.call('Policy/Explain', { ...request }))
  await hintMeantName('agents', request.agent, io)
  await hintMeantName('servers', request.server, io)
  if (request.server === OWN_SERVER) await hintMeantName('tools', request.tool, io)
  if (json) return printJson(answered, io)
  const { decision = 'deny', rule, file, line, reason, matched = [], justification } = answered as Explained
  const place = file ? ` (${file}${line ? `:${line}` : ''})` : ''
  io.stdout.write(`${paint(io, decision === 'allow' ? 'green' : 'red', decision)}: ${reason}\n`)
  printLine(`  by ${rule}${place}`, io)
  if (justification !== undefined) printLine(`  because ${justification}`, io)
  for (const { effect, path, pattern } of matched) {
    printLine(`  matched ${effect} ${path} = ${JSON.stringify(pattern)}`, io)
  }
}

async function testRules(named: string, { json }: JsonOption, io: CliIo): Promise<void> {
  const { testRulesFile } = await import('../../../stages/policy/rules-file.ts')
  const file = rulesFileAt(named, io)
  const { examples, problems } = testRulesFile(file)
  if (problems.length > 0) io.setExitCode(errorCatalogue.RULES_INVALID.exit)
  if (json) return printJson({ ok: problems.length === 0, file, examples, problems }, io)
  for (const { example, expected, problem } of examples) {
    printLine(`${problem === undefined ? 'ok  ' : 'FAIL'} ${expected} ${example}`, io)
  }
  printProblems(file, problems, io)
  const failed = examples.filter(({ problem }) => problem !== undefined).length
  printLine(`${examples.length - failed} passed, ${failed} failed`, io)
}
