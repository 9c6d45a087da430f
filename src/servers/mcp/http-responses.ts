import type { ServerResponse } from 'node:http'

/** Responses in progress, by token. */
export interface OpenResponses {
  add(token: string, response: ServerResponse): void
  /** Ends those of invalid tokens: an event stream can be open for days. */
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
