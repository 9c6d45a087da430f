import type { ServerResponse } from 'node:http'

/** Responses that are still being written, by the token that asked for them. */
export interface OpenResponses {
  add(token: string, response: ServerResponse): void
  /** Ends those of tokens that are no longer good: an event stream can be open for days. */
  endUnless(isGood: (token: string) => boolean): void
}

export function createOpenResponses(): OpenResponses {
  const tokens = new Map<ServerResponse, string>()
  return {
    add(token, response) {
      tokens.set(response, token)
      response.once('close', () => tokens.delete(response))
    },
    endUnless(isGood) {
      for (const [response, token] of tokens) if (!isGood(token)) response.destroy()
    },
  }
}
