/** Answers of hooks that do not do what they look like. Hooks are programs: only what stands in their text is judged. */

import type { FindingDetails, LintRule } from '../../../findings/finding.ts'
import { guardEvents } from '../../rules/hook-shape.ts'
import type { ClaudeSetup, HookEntry } from '../../setup/setup.ts'
import { foundAt, type Told } from '../places/found-in.ts'
import { hookText } from './text.ts'

export const hookAnswerRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'hook-answer-ignored',
    severity: 'error',
    title: 'A hook answers in a form that the client ignores',
    why: 'A hook of PreToolUse stops a call with `{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "…"}}` or by ending with exit code 2. `permissionDecision` outside of `hookSpecificOutput`, an answer without `hookEventName`, `decision: "deny"` and `preventContinuation` are ignored, and of a hook with `async` the client does not wait for the answer: the tool runs.',
    check: (setup) =>
      guardsOf(setup).flatMap((entry) => tell(entry, ignoredAnswer(entry, hookText(setup, entry)))),
  },
  {
    id: 'hook-continue-false',
    severity: 'error',
    title: '`continue: false` used to stop the tool',
    why: 'A hook of PreToolUse that answers `{"continue": false}` and no decision ends the session after the call: the tool still runs. Deny the call, or end with exit code 2.',
    check: (setup) => guardsOf(setup).flatMap((entry) => tell(entry, continuesFalse(hookText(setup, entry)))),
  },
]

function guardsOf({ hooks }: ClaudeSetup): HookEntry[] {
  return hooks.filter(({ event, hook }) => guardEvents.includes(event) && hook.type === 'command')
}

function tell(entry: HookEntry, told: Told | undefined): FindingDetails[] {
  return told === undefined ? [] : [foundAt(entry, told)]
}

/** As a key of JSON or of an object in a program, with quotes of any kind around it. */
const key = (name: string, value: string): RegExp =>
  new RegExp(`\\b${name}\\b[\\\\'"\`]*\\s*(?::|=>|=)\\s*${value}`)

const decision = key('permissionDecision', '')
const exitTwo = /\bexit[(\s]+2\b|\bexitCode\s*=\s*2\b/
const legacyBlock = key('decision', '[\\\\\'"`]*block')
const denial = key('behavior', '[\\\\\'"`]*deny')

/** Whether the text shows that the hook may stop something. */
export function decides(text: string): boolean {
  return [decision, exitTwo, legacyBlock, denial, key('updatedToolOutput', '')].some((sign) =>
    sign.test(text),
  )
}

const rightForm =
  'Print `{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "…"}}`, or end with exit code 2.'

function ignoredAnswer({ event, hook }: HookEntry, text: string): Told | undefined {
  if (hook.async === true || hook.asyncRewake === true) {
    return decides(text)
      ? {
          message: 'The client does not wait for this hook: the tool runs whatever it answers.',
          fix: 'Remove `async`.',
        }
      : undefined
  }
  if (event === 'PreToolUse' && decision.test(text) && !text.includes('hookSpecificOutput')) {
    return exitTwo.test(text)
      ? undefined
      : {
          message:
            '`permissionDecision` stands outside of `hookSpecificOutput`, so the client ignores it and the tool runs.',
          fix: rightForm,
        }
  }
  if (text.includes('hookSpecificOutput') && !text.includes('hookEventName') && !exitTwo.test(text)) {
    return {
      message: '`hookEventName` is missing, so the client ignores the answer and the tool runs.',
      fix: rightForm,
    }
  }
  if (event === 'PreToolUse' && key('decision', '[\\\\\'"`]*deny').test(text) && !decides(text)) {
    return { message: '`decision: "deny"` is not valid for this event: the tool runs.', fix: rightForm }
  }
  if (key('preventContinuation', '').test(text) && !decides(text)) {
    return { message: '`preventContinuation` does nothing: the tool runs.', fix: rightForm }
  }
  return undefined
}

function continuesFalse(text: string): Told | undefined {
  if (!key('continue', '(?:false|False)\\b').test(text) || decides(text)) return undefined
  return {
    message: '`continue: false` ends the session only after the tool ran.',
    fix: rightForm,
  }
}
