/**
 * How the scrub stage handles requests to a model: secrets are masked in the request, and restored in the tool inputs
 * of the response.
 */

import { shellTexts } from '../clients/claude-code/hooks/tool-input.ts'
import { decodeByteText } from '@contextd/shared/text/byte-text'
import { callerName, exchangeOf, type Call } from '../core/call.ts'
import { checkFor, type CheckFor } from '../core/checks.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { ModelExchange } from '../core/model.ts'
import { refusal, type Refusal } from '../core/result.ts'
import { addNotes, noteFinding } from '../core/trail.ts'
import type { Endpoint, RestoreInput } from '../model/wire/dialect.ts'
import { dialects } from '../model/dialects.ts'
import { InvalidJson } from '../model/wire/json-spans.ts'
import { createRequestMasker, type MaskedRequest } from '../model/mask-request.ts'
import { isOwnTool } from '../core/own-tools.ts'
import { withoutKey } from '../model/gemini/dialect.ts'
import { createInputRestorer, type MayReveal } from '../model/restore-input.ts'
import { createRestores, type Restores } from '../model/restores.ts'
import { createFileReader } from '../platform/files/written-file.ts'
import { createTokenJudge } from '../stages/scrub/reveal.ts'
import type { Foundation } from './foundation.ts'

export interface OpenModel {
  prepare(call: Call): Promise<Call | Refusal>
  readonly restores: Pick<Restores, 'prune'>
}

export function openModel(base: Foundation): OpenModel {
  const { checks, secrets, rules, store, tenant, paths, clock } = base
  const masker = createRequestMasker({ ...checks, isOwnTool })
  const restores = createRestores({ store, tenant, keysDir: paths.keys, clock })

  const mask = async (
    { session }: Call,
    { api, body, root }: ModelExchange,
    endpoint: Endpoint | undefined,
    whose: CheckFor,
  ): Promise<MaskedRequest> => {
    if (root === undefined) throw new InvalidJson('not JSON')
    return masker.mask({
      body,
      root,
      dialect: dialects[api],
      endpoint,
      whose,
      restored: (toolUse) => restores.of(session, toolUse),
      issued: (tokens) => secrets.issued(session, tokens),
    })
  }

  /** The rules that match in a text; empty if it is clean. */
  const findIn = async (text: string, whose: CheckFor): Promise<readonly string[]> => {
    const { changed } = (await checks.check({ kind: 'texts', value: [{ text }] }, whose)).value
    return changed[0]?.rules ?? []
  }

  /** Checks a body of an unknown format: if it contains a secret, it cannot be sent. */
  const findInUnknown = async (
    call: Call,
    exchange: ModelExchange,
    whose: CheckFor,
  ): Promise<readonly string[]> => {
    if (exchange.body === '') return []
    try {
      const { found } = await mask(call, exchange, undefined, whose)
      return found.map(({ rule }) => rule)
    } catch (error) {
      if (!(error instanceof InvalidJson)) throw error
      return findIn(decodeByteText(exchange.body), whose)
    }
  }

  const restorerFor = (call: Call, { folder }: ModelExchange): RestoreInput =>
    createInputRestorer({
      valuesOf: (tokens) => secrets.valuesOf(call.session, tokens),
      readFile: createFileReader(folder),
      mayReveal: (tool, input) => mayReveal(call, tool, input),
      remember: (toolUse, restored) => restores.remember(call.session, toolUse, restored),
      note: (what) => addNotes(call.trail, [what]),
    })

  const mayReveal = (call: Call, tool: string, input: JsonObject | string): MayReveal => {
    const args = typeof input === 'string' ? { '': input } : input
    const whyNot = createTokenJudge(args, {
      tool: ruleName(tool),
      granted: call.grants.some(({ kind }) => kind === 'secret:reveal'),
      rules: rules.current().agents.get(call.principal?.agent ?? '')?.reveal ?? [],
      runsCommands: typeof input === 'string' || runsCommands(tool, input),
    })
    return (argument, token, value, text) => whyNot(argument, text, token, value) === undefined
  }

  return {
    restores,
    async prepare(call) {
      const exchange = exchangeOf(call)
      const dialect = dialects[exchange.api]
      const whose = checkFor(call, callerName(call))
      const inAddress = await findIn(withoutKey(exchange.path), whose)
      if (inAddress.length > 0) return refuse('the address of the request', inAddress)
      const endpoint = dialect.endpointOf(exchange.method, exchange.path)
      if (endpoint === undefined) {
        const found = await findInUnknown(call, exchange, whose)
        return found.length === 0
          ? call
          : refuse('a request to an endpoint that contextd does not know', found)
      }
      let masked: MaskedRequest
      try {
        masked = await mask(call, exchange, endpoint, whose)
      } catch (error) {
        if (!(error instanceof InvalidJson)) throw error
        return refusal('INVALID_REQUEST', { what: 'the body is not JSON', hint: 'Send JSON in UTF-8.' })
      }
      for (const { count, ...found } of masked.found) noteFinding(call.trail, found, count)
      const rewriter =
        endpoint.kind === 'generate'
          ? { rewriter: dialect.rewriter(endpoint, restorerFor(call, exchange)) }
          : {}
      return { ...call, exchange: { ...exchange, body: masked.body, ...rewriter } }
    },
  }
}

function refuse(what: string, rules: readonly string[]): Refusal {
  return refusal('MODEL_REQUEST_REFUSED', { what, found: [...new Set(rules)].join(', ') })
}

/** The name of a client's tool in the rules: `Bash`, or `github.create_issue` for an MCP server's tool. */
function ruleName(tool: string): string {
  return tool.replace(/^mcp__((?:(?!__).)+)__/, '$1.')
}

const shells: ReadonlySet<string> = new Set([
  'bash',
  'shell',
  'local_shell',
  'exec_command',
  'run_shell_command',
])

/** Errs towards true, because a shell may interpret its arguments in ways that we do not see. */
function runsCommands(tool: string, input: JsonObject): boolean {
  return shells.has(tool.toLowerCase()) || shellTexts(input).length > 0
}
