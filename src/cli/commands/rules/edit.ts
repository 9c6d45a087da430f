/** `ctxd rules edit`: the user's rules in their editor. What is invalid is never installed, and no text is lost. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

import { readFileText } from '@contextd/shared/changes/change'
import { note, type CliIo } from '@contextd/shared/cli/output'
import { refuseInsideAgent } from '@contextd/shared/operator'
import { CodedError, ContextdError, missingThing } from '../../../core/errors/errors.ts'
import { checkRules } from '../../../stages/policy/compile-rules.ts'
import { startText } from '../../../stages/policy/edit/change-rules.ts'
import { findRuleMistakes } from '../../../stages/policy/lint/rule-mistakes.ts'
import { rulesInvalid } from '../../../stages/policy/rules-problem.ts'
import { openInEditor } from '../../support/open-editor.ts'
import { ruleSurroundings } from './user-rules/surroundings.ts'
import { installRules, readRulesForEdit, type RulesEditOptions } from './user-rules/user-rules.ts'

export interface RulesEditorOptions extends RulesEditOptions {
  readonly file?: string
}

export async function editRules({ file, ...options }: RulesEditorOptions, io: CliIo): Promise<void> {
  refuseInsideAgent(io.env)
  const before = readRulesForEdit(io)
  const draft = file === undefined ? newDraft(before.text ?? startText) : resolve(io.cwd, file)
  try {
    if (file === undefined) await openInEditor(draft, io)
    const text = readFileText(draft)
    if (text === undefined) throw new ContextdError('NOT_FOUND', missingThing('file', draft))
    await check(text, draft, io)
    await installRules({ before, text }, options, io)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    const hint = `Your text is kept. To continue with it, run: ctxd rules edit --file ${draft}`
    throw new ContextdError(error.code, { ...error.details, hint }, { cause: error })
  }
  if (file === undefined) rmSync(dirname(draft), { recursive: true, force: true })
}

function newDraft(text: string): string {
  const draft = join(mkdtempSync(join(tmpdir(), 'contextd-rules-')), 'rules.json')
  writeFileSync(draft, text, { mode: 0o600 })
  return draft
}

/** Throws RULES_INVALID with positions in the edited text. */
async function check(text: string, file: string, io: CliIo): Promise<void> {
  const { rules, read, problems } = checkRules({ text, file })
  if (rules === undefined || read === undefined || problems.length > 0) throw rulesInvalid(problems)
  for (const { line, path, message, fix } of findRuleMistakes(read, rules, await ruleSurroundings(io))) {
    note(`line ${line}: ${path}: ${message}. ${fix}`, io)
  }
}
