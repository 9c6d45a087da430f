import { ContextdError } from '../../core/errors/errors.ts'
import { serverUrl } from './server-url.ts'

export interface EmbedderServer {
  readonly url: string
  readonly model: string
  readonly key?: () => string | undefined
}

export function embedderUrl(address: string): URL {
  const url = serverUrl(address)
  if (url instanceof URL) return url
  throw new ContextdError('EMBEDDER_UNAVAILABLE', { problem: `memory.embedder_url ${url.problem}` })
}
