import type { Fault } from '../../core/result.ts'
import { shortenText, type FitTools } from './fit-json.ts'
import { countUpTo } from './truncate.ts'

export interface FittedFault {
  readonly fault: Fault
  readonly tokens: number
  readonly truncated: boolean
}

/** The error of another server: unchanged if it fits, else its start as the message. */
export function fitFault(
  fault: Fault,
  { limit, ...tools }: FitTools & { readonly limit: number },
): FittedFault {
  const { code, message, data } = fault.error
  const fullText = data === undefined ? message : `${message}\n${JSON.stringify(data)}`
  const tokens = countUpTo(fullText, limit, tools.count)
  if (tokens <= limit) return { fault, tokens, truncated: false }
  const { text } = shortenText(fullText, 'error', limit, tools)
  return {
    fault: { kind: 'fault', error: { code, message: text } },
    tokens: tools.count(text),
    truncated: true,
  }
}
