/**
 * Agents and the tokens that authenticate them. Tokens are created on the terminal only, because no API may carry
 * their secret.
 */

import type { RuntimeCore } from '../../../compose.ts'
import { formatCapability } from '../../../core/capability.ts'
import { ContextdError, shortName } from '../../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Operation } from './operation.ts'
import { theText } from './request.ts'

type Tokens = RuntimeCore['tokens']

export const agentsOperations: readonly Operation[] = [
  {
    rpc: 'Agents/List',
    async run(_request, { runtime }) {
      const { agents: known, files } = runtime.rules.current()
      const agents = [...known].map(([id, { grants, limits }]) => ({
        id,
        capabilities: grants.map(formatCapability),
        limits: { ...limits } as JsonObject,
      }))
      return { agents, files: [...files] }
    },
  },
  {
    rpc: 'Agents/ListTokens',
    run: async (_request, { runtime }) => issuedTokens(runtime),
  },
  {
    rpc: 'Agents/RevokeToken',
    run: async (request, { runtime: { tokens, audit } }) =>
      revokeToken({ tokens, event: audit.event }, theText(request, 'id')),
  },
]

/** The same for commands that can open only the store. */
export function issuedTokens({ tokens }: { readonly tokens: Tokens }): JsonObject {
  return { tokens: tokens.list().map(tokenJson) }
}

/** Also for commands that can open only the store. */
export function revokeToken(
  { tokens, event }: { readonly tokens: Tokens; event(name: string, details: JsonObject): void },
  id: string,
): JsonObject {
  if (!tokens.revoke(id)) {
    throw new ContextdError('NOT_FOUND', {
      what: `live token ${shortName(id)}`,
      hint: '`ctxd agents token list` shows the IDs.',
    })
  }
  event('token-revoked', { id })
  return { id, revoked: true }
}

export function tokenJson({ id, agent, label, createdAt, usedAt, revokedAt }: Token): JsonObject {
  const date = (time: number): string => new Date(time).toISOString()
  return {
    id,
    agent,
    label,
    created_at: date(createdAt),
    ...(usedAt !== undefined && { used_at: date(usedAt) }),
    ...(revokedAt !== undefined && { revoked_at: date(revokedAt) }),
  }
}

type Token = ReturnType<Tokens['list']>[number]
