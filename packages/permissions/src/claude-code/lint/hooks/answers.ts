/** Hook answers that do not have the effect they seem to have. Hooks are programs: only their source text is checked. */

import type { FindingDetails, LintRule } from '../../../findings/finding.ts'
import { guardEvents } from '../../rules/hook-shape.ts'
import type { ClaudeSetup, HookEntry } from '../../setup/setup.ts'
import { findingAt, type FindingText } from '../places/finding-at.ts'
import { hookText } from './text.ts'

export const hookAnswerRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'hook-answer-ignored',
    severity: 'error',
    title: 'A hook answers in a form that the client ignores',
    why: 'A PreToolUse hook blocks a call with `{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "…"}}` or with exit code 2. `permissionDecision` outside `hookSpecificOutput`, an answer without `hookEventName`, `decision: "deny"` and `preventContinuation` are ignored, and the client does not wait for the answer of an `async` hook: the tool runs.',
    check: (setup) =>
      guardsOf(setup).flatMap((entry) => findingsAt(entry, ignoredAnswer(entry, hookText(setup, entry)))),
  },
  {
    id: 'hook-continue-false',
    severity: 'error',
    title: '`continue: false` used to stop the tool',
    why: 'A PreToolUse hook that answers `{"continue": false}` without a decision ends the session after the call: the tool still runs. Deny the call, or exit with code 2.',
    check: (setup) =>
      guardsOf(setup).flatMap((entry) => findingsAt(entry, continueFalse(hookText(setup, entry)))),
  },
]

function guardsOf({ hooks }: ClaudeSetup): HookEntry[] {
  return hooks.filter(({ event, hook }) => guardEvents.includes(event) && hook.type === 'command')
}

function findingsAt(entry: HookEntry, text: FindingText | undefined): FindingDetails[] {
  return text === undefined ? [] : [findingAt(entry, text)]
}

/** A key in JSON or in an object of a program, in any kind of quotes. */
const key = (name: string, value: string): RegExp =>
  new RegExp(`\\b${name}\\b[\\\\'"\`]*\\s*(?::|=>|=)\\s*${value}`)

const decision = key('permissionDecision', '')
const exitTwo = /\bexit[(\s]+2\b|\bexitCode\s*=\s*2\b/
const legacyBlock = key('decision', '[\\\\\'"`]*block')
const denial = key('behavior', '[\\\\\'"`]*deny')

/** Whether the source text suggests that the hook may block something. */
export function decides(text: string): boolean {
  return [decision, exitTwo, legacyBlock, denial, key('updatedToolOutput', '')].some((pattern) =>
    pattern.test(text),
  )
}

const correctForm =
  'Print `{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "…"}}`, or exit with code 2.'

function ignoredAnswer({ event, hook }: HookEntry, text: string): FindingText | undefined {
  if (hook.async === true || hook.asyncRewake === true) {
    return decides(text)
      ? {
          message: 'The client does not wait for this hook: the tool runs regardless of its answer.',
          fix: 'Remove `async`.',
        }
      : undefined
  }
  if (event === 'PreToolUse' && decision.test(text) && !text.includes('hookSpecificOutput')) {
    return exitTwo.test(text)
      ? undefined
      : {
          message:
            '`permissionDecision` is outside `hookSpecificOutput`, so the client ignores it and the tool runs.',
          fix: correctForm,
        }
  }
  if (text.includes('hookSpecificOutput') && !text.includes('hookEventName') && !exitTwo.test(text)) {
    return {
      message: '`hookEventName` is missing, so the client ignores the answer and the tool runs.',
      fix: correctForm,
    }
  }
  if (event === 'PreToolUse' && key('decision', '[\\\\\'"`]*deny').test(text) && !decides(text)) {
    return { message: '`decision: "deny"` is not valid for this event: the tool runs.', fix: correctForm }
  }
  if (key('preventContinuation', '').test(text) && !decides(text)) {
    return { message: '`preventContinuation` has no effect: the tool runs.', fix: correctForm }
  }
  return undefined
}

function continueFalse(text: string): FindingText | undefined {
  if (!key('continue', '(?:false|False)\\b').test(text) || decides(text)) return undefined
  return {
    message: '`continue: false` ends the session only after the tool has run.',
    fix: correctForm,
  }
}
