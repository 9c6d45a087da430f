/**
 * Hooks in a committed settings file. They also run on machines of colleagues who never installed contextd, so they
 * distinguish that from a contextd that fails: a short shell script, because nothing else is sure to be there.
 */

import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { absence, type Sharing } from '../init/layout.ts'

/** Exists as soon as contextd was used: then a missing program is a failure. */
const isUsedHere = '[ -d "${CONTEXTD_HOME:-${XDG_STATE_HOME:-$HOME/.local/state}/contextd}" ]'

/** What a hook does where contextd is missing. `quiet` would only repeat what the session start and the tools say. */
export type WhereMissing = 'quiet' | 'says so' | 'refuses'

/** The user's own hooks do the same, and no repository can change those. */
const standAside =
  'grep -qs \'"protect"\' "$CLAUDE_PROJECT_DIR/.claude/settings.local.json" "${CLAUDE_CONFIG_DIR:-$HOME/.claude}/settings.json" && exit 0'

/** A command line for the client's shell. The program is on the PATH of everyone who has it. */
export function sharedCommand(words: readonly string[], sharing: Sharing, missing: WhereMissing): string {
  const run = words.join(' ')
  return `${standAside}; if command -v contextd >/dev/null 2>&1; then exec ${run}; fi; ${otherwise(sharing, missing)}`
}

function otherwise(sharing: Sharing, missing: WhereMissing): string {
  if (missing === 'quiet') return 'exit 0'
  const [answer, colleagues] =
    missing === 'says so' ? [notice, print(notice(absence.optional))] : [refusal, 'exit 0']
  if (sharing === 'required') return print(answer(absence.required))
  return `if ${isUsedHere}; then ${print(answer(absence.missing))}; else ${colleagues}; fi`
}

function notice(text: string): JsonObject {
  return { systemMessage: text }
}

function refusal(text: string): JsonObject {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: text,
    },
  }
}

function print(output: JsonObject): string {
  return `printf %s '${JSON.stringify(output)}'`
}

/**
 * How the hooks in a settings file claim to be shared; undefined if none of them is ours, or they need contextd to run.
 * Nothing may depend on the claim that protects this user.
 */
export function sharingIn(settings: JsonObject | undefined): Sharing | undefined {
  const text = isJsonObject(settings?.hooks) ? JSON.stringify(settings.hooks) : ''
  if (!text.includes('if command -v contextd >/dev/null')) return undefined
  return text.includes(absence.required) ? 'required' : 'optional'
}
