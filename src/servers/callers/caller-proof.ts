/**
 * Proof of which agent makes a call, over a channel that no model reaches. Claude Code's hook calls `attest` before
 * the call, and we match the two; OpenCode's plugin signs an argument. On stdio only: just the client writes to the
 * pipe, while anyone with a token can claim anything over HTTP.
 */

import { join } from 'node:path'

import type { Runtime } from '../../compose.ts'
import type { Claims, Client } from '../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { loadOrCreateKey } from '../../platform/secrets/keys.ts'
import {
  attestationArgument,
  createNonceBook,
  verifySignedAttestation,
} from '../../stages/identity/signed-attestation.ts'
import { createHookAttestations, isCallByModel } from './hook-attestations.ts'
import { createAttestationRefusals, type AttestationRefusals, type ProvenCall } from './proven-call.ts'

/**
 * The tool that hooks call. Claude Code hides it from models. If another client shows it to a model, it proves
 * nothing: calls there have no id to match.
 */
export const ATTEST = 'attest'

/** Its entry in `tools/list`, marked as not for models. */
export const attestDefinition = {
  name: ATTEST,
  description: 'For hooks of the client.',
  inputSchema: { type: 'object' },
  _meta: { ui: { visibility: ['app'] } },
} as const satisfies JsonObject

export interface CallerProofs {
  prove(call: { tool: string; arguments: JsonObject }, meta: JsonObject, client: Client): ProvenCall
  /** The response of `attest`; undefined if the call is not from a hook and must be handled like any other. */
  attest(args: JsonObject, meta: JsonObject, client: Client): JsonObject | undefined
  /** Whether this client may have hooks that call `attest`; OpenCode signs instead. */
  isOffered(client: Client): boolean
  /** The claims for lists requested by this client. */
  claimsOfList(client: Client): Pick<Claims, 'willAttest'>
}

export function createCallerProofs(
  runtime: Pick<Runtime, 'paths' | 'audit' | 'project' | 'log' | 'previewDecision' | 'store'>,
): CallerProofs {
  const refusals = createAttestationRefusals(runtime)
  const hooks = createHookAttestations(runtime, refusals)
  const verifySigned = createSignatureCheck(runtime.paths, refusals)
  return {
    prove({ tool, arguments: given }, meta, client) {
      if (tool === ATTEST && isCallByModel(meta)) return refusals.forged('a model called attest', tool, given)
      const { signed, rest } = splitSigned(given)
      if (signed === undefined) return hooks.prove(tool, meta, rest)
      if (!isOpenCode(client)) return refusals.forged('this client does not sign', tool, rest)
      return verifySigned(signed, tool, rest)
    },
    attest: (args, meta, client) =>
      isOpenCode(client) || isCallByModel(meta) ? undefined : hooks.attest(args),
    isOffered: (client) => !isOpenCode(client),
    claimsOfList: (client) => (isClaudeCode(client) || isOpenCode(client) ? { willAttest: true } : {}),
  }
}

/** Verifies attestations that OpenCode's plugin signed. */
function createSignatureCheck(
  paths: Runtime['paths'],
  refusals: AttestationRefusals,
): (signed: unknown, tool: string, args: JsonObject) => ProvenCall {
  const nonces = createNonceBook(Date.now)
  let key: Buffer | undefined
  return (signed, tool, args) => {
    key ??= loadOrCreateKey(join(paths.keys, 'attestation.key'))
    const expected = { key, tool, arguments: args, now: Date.now(), use: nonces.use }
    const reported = verifySignedAttestation(signed, expected)
    if ('problem' in reported) return refusals.forged(reported.problem, tool, args)
    const { agent, instance, session } = reported
    return {
      claims: { attested: { agent, ...(instance !== undefined && { instance }) } },
      arguments: args,
      clientSession: session,
    }
  }
}

/** Removes a signed attestation from the arguments of any caller: no tool has such an argument. */
export function splitSigned(args: JsonObject): { signed: unknown; rest: JsonObject } {
  if (!Object.hasOwn(args, attestationArgument)) return { signed: undefined, rest: args }
  const { [attestationArgument]: signed, ...rest } = args
  return { signed, rest }
}

function isClaudeCode({ name }: Client): boolean {
  return name === 'claude-code'
}

function isOpenCode({ name }: Client): boolean {
  return name === 'opencode'
}
