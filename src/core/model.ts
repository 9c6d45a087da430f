/** Requests to a model provider: what the door hands to the pipeline, and what it learns from the response. */

import type { JsonNode } from '@contextd/shared/json/json-node'

/** The wire formats the model door understands. */
export const modelApis = ['anthropic', 'openai', 'gemini'] as const
export type ModelApi = (typeof modelApis)[number]

/** The server name of model requests in the rules and in audit records. */
export const MODEL_SERVER = 'model'

/** Tokens as the provider reported them. */
export type ModelUsage = {
  /** Excludes tokens read from or written to the provider's prompt cache. */
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** How token usage can be grouped. */
export const usageGroups = ['day', 'session', 'agent', 'model'] as const
export type UsageGroup = (typeof usageGroups)[number]

export type ModelReport = {
  readonly model?: string
  readonly usage?: ModelUsage
}

export type ModelResult = ModelReport & {
  /** HTTP status of the provider's response. */
  readonly status: number
  /** The provider ended the response prematurely. */
  readonly broken?: true
}

/**
 * Turns the bytes of a provider's response into the bytes the client receives, chunk by chunk. Bytes stay the same
 * unless a token is restored.
 */
export interface ResponseRewriter {
  write(chunk: Buffer): Promise<Buffer>
  /** The remaining bytes, even if the provider stopped in the middle of an event. */
  end(): Promise<Buffer>
  /** What the response said so far. */
  report(): ModelReport
}

export interface ResponseHead {
  readonly status: number
  /** The content-type header, or empty. */
  readonly contentType: string
}

export type CreateRewriter = (head: ResponseHead) => ResponseRewriter

/** One request to a model provider on its way through the pipeline. The scrub stage replaces `body` and `rewriter`. */
export interface ModelExchange {
  readonly api: ModelApi
  /** The provider's name in the configuration. */
  readonly provider: string
  readonly method: string
  /** The client's working directory, if known: its tools' relative paths are resolved against it. */
  readonly folder?: string
  /** Path and query below the provider's base URL, such as `/v1/messages?beta=true`. */
  readonly path: string
  /** JSON text; any text if the format does not know the path, empty if there is no body. */
  readonly body: string
  /** `body`, parsed once for all users; absent if it is not JSON. */
  readonly root?: JsonNode
  /** The requested model, if the path or the body names one. */
  readonly model?: string
  /** False for requests that providers do not charge: counting tokens, listing models. */
  readonly isCharged: boolean
  /** Absent: the response passes unchanged. */
  readonly rewriter?: CreateRewriter
  /** Sends `body` to the provider and passes the rewritten response to the client. Resolves when the response has ended. */
  send(exchange: Pick<ModelExchange, 'body' | 'rewriter'>, signal: AbortSignal): Promise<ModelResult>
  /** What the response reported so far, even if it was incomplete or cancelled. */
  report(): ModelReport
}
