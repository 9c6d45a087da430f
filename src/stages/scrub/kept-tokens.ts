/**
 * Decides what happens to a call with a token that is not restored: a token must never be used as if it were the
 * secret.
 */

import type { Call } from '../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { refusal, type Refusal } from '../../core/result.ts'
import { hintUnclear } from '../../core/tokens/file-tokens.ts'
import { listTokens, tokensIn, tokensInShell } from '../../core/tokens/secret-forms.ts'
import { describeWhy, type KeptToken, type RevealTerms, type TokenValues } from './reveal.ts'

/**
 * `refuse-write`: the token would be written to a file. `refuse`: the tool may change something, and would use the
 * token to do so. `note`: the tool only reads, and the answer mentions the token. `pass`: tokens keep their meaning
 * in what the tool stores.
 */
export type KeptPolicy = 'refuse-write' | 'refuse' | 'note' | 'pass'

/** Max proposed rules. */
const maxRules = 10

/** Tokens escaped with backslashes, which `sed` and `grep` still read as tokens. */
export function escapedTokens(args: JsonObject, values: TokenValues): KeptToken[] {
  const plain = tokensIn(args)
  const escaped = [...tokensInShell(args)].filter((token) => !plain.has(token) && values.has(token))
  return escaped.map((token) => ({ token, argument: 'command', why: { kind: 'escaped' } }))
}

export function refuseKept(
  { tool, principal, arguments: args }: Pick<Call, 'tool' | 'principal' | 'arguments'>,
  policy: 'refuse-write' | 'refuse',
  kept: readonly KeptToken[],
  terms: RevealTerms,
): Refusal {
  const agent = principal?.agent ?? ''
  const tokens = listTokens(kept.map(({ token }) => token))
  const rules = new Map<string, JsonObject>()
  for (const one of kept.slice(0, maxRules)) {
    const rule = ruleFor(one, args, terms)
    if (rule !== undefined) rules.set(JSON.stringify(rule), rule)
  }
  const code = policy === 'refuse-write' ? 'SECRET_NOT_REVEALED' : 'SECRET_TOKEN_IN_ARGUMENT'
  return refusal(code, {
    tool,
    tokens,
    hint: [
      ...insteadHints(policy, kept, terms),
      ...hostHints(kept),
      ...ruleHint([...rules.keys()], agent, terms),
    ].join(' '),
    ...(rules.size > 0 && { agent, reveal: [...rules.values()] }),
  })
}

function insteadHints(
  policy: 'refuse-write' | 'refuse',
  kept: readonly KeptToken[],
  { runsCommands }: RevealTerms,
): string[] {
  const unclear = kept.filter(({ why }) => why.kind === 'unclear').map(({ token }) => token)
  const others = kept.filter(({ why }) => why.kind !== 'unclear').map(({ token }) => token)
  return [
    ...(unclear.length > 0 ? [hintUnclear(listTokens(unclear))] : []),
    ...(others.length > 0 ? [alternativeHint(policy, listTokens(others), runsCommands)] : []),
  ]
}

function alternativeHint(policy: 'refuse-write' | 'refuse', tokens: string, runsCommands: boolean): string {
  if (policy === 'refuse-write')
    return `Write the rest: leave out what contains ${tokens}, or change other lines only. Where the file contains the secret already, its token is restored automatically.`
  return runsCommands
    ? `Files contain the secret itself and never ${tokens}: to change such a file use safe_edit, which restores it there; to find its place, search for the text around it. In a commit message or comment, say in words what is meant.`
    : `Leave ${tokens} out. To change a file that contains the secret use safe_edit, which restores it there.`
}

/** For an existing rule, and a call that goes beyond its host. */
function hostHints(kept: readonly KeptToken[]): string[] {
  const whys = new Set(kept.flatMap(({ why }) => (why.kind === 'host' ? [describeWhy(why)] : [])))
  return [...whys].map((why) => `A reveal rule exists, but the value is ${why}.`)
}

function ruleHint(entries: readonly string[], agent: string, { granted }: RevealTerms): string[] {
  if (entries.length === 0) return []
  const capability = granted
    ? 'It has the capability `secret:reveal` already.'
    : 'It also needs "secret:reveal" under `allow.capabilities`.'
  return [
    `If the tool should have the secret, ask the user to add ${entries.join(', ')} to \`reveal\` of agent "${agent}" in rules.json. ${capability}`,
  ]
}

/** The entry of `reveal` that would restore the token; undefined if none would. */
function ruleFor(
  { argument, why }: KeptToken,
  args: JsonObject,
  { tool, runsCommands }: RevealTerms,
): JsonObject | undefined {
  if (why.kind !== 'no-rule' && why.kind !== 'no-grant') return undefined
  const place = argument === undefined ? {} : { argument }
  // Without a host, any command would be allowed, including one that prints the secret.
  const host = runsCommands ? '<the host it is sent to>' : hostIn(args)
  return { tool, ...place, ...(host !== undefined && { host }) }
}

/** The host of the only address in the arguments, so that the rule covers no more than this call. */
function hostIn(args: JsonObject): string | undefined {
  const hosts = Object.values(args).flatMap((value) => {
    if (typeof value !== 'string' || !/^https?:/i.test(value) || !URL.canParse(value)) return []
    const { host } = new URL(value)
    return /^[a-z0-9.-]{1,100}(?::\d{1,5})?$/.test(host) ? [host] : []
  })
  return hosts.length === 1 ? hosts[0] : undefined
}

/** Added to the answer of a tool that only reads. */
export function noteKept({ tool }: Pick<Call, 'tool'>, kept: readonly KeptToken[]): string {
  const tokens = listTokens(kept.map(({ token }) => token))
  return `Attention: ${tool} received ${tokens} as these characters, not as the secret. Files and servers contain the secret itself, so nothing here was found or compared by its value.`
}
