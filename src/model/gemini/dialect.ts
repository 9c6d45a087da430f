/** Gemini's generateContent, its streaming variant and countTokens, in the Gemini API and Vertex AI. */

import type { Dialect, Endpoint } from '../wire/dialect.ts'
import { geminiRewriter } from './rewriter.ts'
import { viewGemini } from './view.ts'

/** Google's names for HTTP statuses. */
const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

export const gemini: Dialect = {
  api: 'gemini',
  endpointOf,
  view: viewGemini,
  rewriter: geminiRewriter,
  errorBody({ status, message }) {
    const name = statusNames[status] ?? (status >= 500 ? 'INTERNAL' : 'FAILED_PRECONDITION')
    return JSON.stringify({ error: { code: status, message, status: name } })
  },
}

const methods: Readonly<Record<string, Pick<Endpoint, 'kind' | 'shape'>>> = {
  generateContent: { kind: 'generate', shape: 'content' },
  streamGenerateContent: { kind: 'generate', shape: 'stream' },
  countTokens: { kind: 'count', shape: 'content' },
}

/** `/v1beta/models/<model>:generateContent`; Vertex AI has project, location and publisher before `models`. */
function endpointOf(method: string, path: string): Endpoint | undefined {
  if (method !== 'POST') return undefined
  const [place = ''] = path.split(/[?#]/, 1)
  const [folder, last] = place.split('/').slice(-2)
  const colon = last?.lastIndexOf(':') ?? -1
  if ((folder !== 'models' && folder !== 'tunedModels') || last === undefined || colon < 1) return undefined
  const name = last.slice(colon + 1)
  const known = Object.hasOwn(methods, name) ? methods[name] : undefined
  return known && { ...known, model: last.slice(0, colon) }
}

/** The path without the API key that clients put in its query: the key passes unchanged, and is not checked. */
export function withoutKey(path: string): string {
  return path.replace(/(?<=[?&]key=)[^&]*/g, '')
}
