/** `ctxd rules check`: what is wrong with a rules file, and which built-in rules apply next to it. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import { ContextdError, errorCatalogue, missingThing } from '../../../core/errors/errors.ts'
import { resolvePaths } from '../../../platform/files/paths.ts'
import { discoverRules } from '../../../stages/policy/discover-rules.ts'
import type { RuleMistake } from '../../../stages/policy/lint/rule-mistakes.ts'
import type { RuleSet } from '../../../stages/policy/rule-set.ts'
import type { ReadRules } from '../../../stages/policy/rules-document.ts'
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
    if (json)
      printJson({ ok: true, file: null, problems: [], mistakes: [], builtin: ['main', 'default'] }, io)
    else
      printLine(
        `${resolvePaths(io.env).rulesFile} does not exist; the built-in rules apply to main, default.`,
        io,
      )
    return
  }
  const { rules, read, problems } = testRulesFile(file)
  if (problems.length > 0) io.setExitCode(errorCatalogue.RULES_INVALID.exit)
  const builtin = rules === undefined ? [] : builtinAgentsOf(rules)
  const mistakes = rules === undefined || read === undefined ? [] : await mistakesIn(read, rules, file, io)
  if (json) return printJson({ ok: problems.length === 0, file, problems, mistakes, builtin }, io)
  if (problems.length === 0 && mistakes.length === 0) printLine(`${file}: no problems`, io)
  printProblems(file, problems, io)
  for (const { line, column, path, message, fix } of mistakes) {
    printLine(`${file}:${line}:${column}: ${path}: ${message}`, io)
    printLine(`    fix: ${fix}`, io)
  }
  if (builtin.length === 0) return
  printLine(
    `Built-in rules for the server contextd apply to ${builtin.join(', ')}: allow does not name it.`,
    io,
  )
}

async function mistakesIn(read: ReadRules, rules: RuleSet, file: string, io: CliIo): Promise<RuleMistake[]> {
  const { findRuleMistakes } = await import('../../../stages/policy/lint/rule-mistakes.ts')
  const { ruleSurroundings } = await import('./user-rules/surroundings.ts')
  return findRuleMistakes(read, rules, await ruleSurroundings(io), file)
}

/** The user's own file that contextd would load; undefined if no such file exists. */
function userRulesFile({ env, cwd }: CliIo): string | undefined {
  const { user, userIsNamed } = discoverRules(env, resolvePaths(env), cwd)
  return userIsNamed ? user[0] : user.find((path) => existsSync(path))
}

export function rulesFileAt(named: string, io: CliIo): string {
  const file = resolve(io.cwd, named)
  if (!existsSync(file)) throw new ContextdError('NOT_FOUND', missingThing('rules file', file))
  return file
}

export function printProblems(
  file: string,
  problems: readonly { line: number; column: number; message: string }[],
  io: CliIo,
): void {
  for (const { line, column, message } of problems) printLine(`${file}:${line}:${column}: ${message}`, io)
}
