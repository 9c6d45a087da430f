/** What to do about refusals that no change of the user's rules should, or could, lift. */

import { describeError, errorCatalogue, type ErrorCode } from '../../../../core/errors/errors.ts'

/** Where the hint in the catalogue, which agents read, is not what the user can do. */
const remedies: Partial<Record<ErrorCode, string>> = {
  INVALID_AGENT_ID:
    'The caller named an agent that the rules do not have. Add it under "agents" with `ctxd rules edit`, or as an alias of another agent.',
  IDENTITY_REQUIRED:
    'The caller has no identity. Connect it with a token (`ctxd agents token create`), or let callers without one be `default`: "defaults": { "deny_on_missing_agent": false }.',
  NO_FALLBACK_CONFIGURED:
    'The caller has no identity. Connect it with a token (`ctxd agents token create`), or add an agent named `default` with `ctxd rules edit`.',
  IDENTITY_LEVEL_TOO_LOW:
    "The rules require better proof of who calls: run the agent in a client with contextd's hooks (`ctxd init`), or give it a token. Lowering `require` would trust names that anyone can claim.",
  IDENTITY_CONFLICT:
    'The caller gave two different names. Correct the client: no rule can decide which one is true.',
  ATTESTATION_FORGED:
    'This looks like an attempt to pose as another agent. Look at `ctxd audit show`, and change no rule.',
  ATTESTATION_CONFLICT:
    'Two hooks named different callers for the same call. Run `ctxd doctor`, and change no rule.',
  APPROVAL_REQUIRED: 'The tool must be approved, not allowed: read it, then run `ctxd tool approve`.',
  TOOL_CHANGED: 'The tool must be approved again, not allowed: `ctxd upstream approve` shows what changed.',
  RATE_LIMITED:
    'A limit on calls, not a missing permission: it ends by itself, or raise it under `limits` with `ctxd rules edit`.',
  BUDGET_EXHAUSTED:
    'A budget is used up, not a missing permission: a new session starts at zero, or raise `limits.tokens_per_session` with `ctxd rules edit`.',
  MODEL_BUDGET_EXHAUSTED:
    'A budget is used up, not a missing permission: raise the limit for model tokens with `ctxd rules edit`.',
  COMMAND_TOO_LONG: 'Raise `limits.command_seconds` of the agent with `ctxd rules edit`.',
  MEMORY_SCOPE_REFUSED: 'Add the scope under `memory` of the agent with `ctxd rules edit`.',
  PATH_PROTECTED:
    'Other programs run or trust this file, so it is protected from every agent. Make the change yourself; only a `fs:write` grant that names the path lifts the protection.',
}

/** Those that a change of the rules may lift. */
const liftable: ReadonlySet<ErrorCode> = new Set([
  'DENIED_BY_POLICY',
  'CAPABILITY_NOT_GRANTED',
  'PATH_NOT_GRANTED',
  'HOST_NOT_GRANTED',
  'SECRET_NOT_REVEALED',
  'SECRET_TOKEN_IN_ARGUMENT',
])

/** The errors that mean that something was refused, rather than failed. */
export const refusalCodes: readonly ErrorCode[] = [...liftable, ...(Object.keys(remedies) as ErrorCode[])]

/** Undefined if the rules decide. */
export function remedyFor(code: ErrorCode): string | undefined {
  if (liftable.has(code)) return undefined
  return (
    remedies[code] ??
    (Object.hasOwn(errorCatalogue, code) ? describeError(code).hint : undefined) ??
    'No rule caused this.'
  )
}
