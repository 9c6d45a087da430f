/** `ctxd rules check`: what is wrong with a rules file, and which built-in rules apply next to it. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import { ContextdError, errorCatalogue } from '../../../core/errors/errors.ts'
import { resolvePaths } from '../../../platform/files/paths.ts'
import { discoverRules } from '../../../stages/policy/discover-rules.ts'
import { printJson, printLine, type CliIo, type JsonOption } from '@contextd/shared/cli/output'

export async function checkRulesFile(
  named: string | undefined,
  { json }: JsonOption,
  io: CliIo,
): Promise<void> {
  const { testRulesFile } = await import('../../../stages/policy/rules-file.ts')
  const { builtinAgentsOf } = await import('../../../stages/policy/rule-set.ts')
  const file = named === undefined ? userRulesFile(io) : rulesFileAt(named, io)
  if (file === undefined) {
    if (json) printJson({ ok: true, file: null, problems: [], builtin: ['main', 'default'] }, io)
    else
      printLine(
        `${resolvePaths(io.env).rulesFile} does not exist; the built-in rules apply to main, default.`,
        io,
      )
    return
  }
  const { rules, problems } = testRulesFile(file)
  if (problems.length > 0) io.setExitCode(errorCatalogue.RULES_INVALID.exit)
  const builtin = rules === undefined ? [] : builtinAgentsOf(rules)
  if (json) return printJson({ ok: problems.length === 0, file, problems, builtin }, io)
  if (problems.length === 0) printLine(`${file}: no problems`, io)
  else printProblems(file, problems, io)
  if (builtin.length === 0) return
  printLine(
    `Built-in rules for the server contextd apply to ${builtin.join(', ')}: allow does not name it.`,
    io,
  )
}

/** The user's own file that contextd would load; undefined if no such file exists. */
function userRulesFile({ env, cwd }: CliIo): string | undefined {
  const { user, userIsNamed } = discoverRules(env, resolvePaths(env), cwd)
  return userIsNamed ? user[0] : user.find((path) => existsSync(path))
}

export function rulesFileAt(named: string, io: CliIo): string {
  const file = resolve(io.cwd, named)
  if (!existsSync(file)) throw new ContextdError('NOT_FOUND', { what: 'rules file at that path' })
  return file
}

export function printProblems(
  file: string,
  problems: readonly { line: number; column: number; message: string }[],
  io: CliIo,
): void {
  for (const { line, column, message } of problems) printLine(`${file}:${line}:${column}: ${message}`, io)
}
