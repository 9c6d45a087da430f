import { answer } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import { defineTool } from '../define-tool.ts'
import { describeResponse, fetchForCall, fetchInput, type EgressFor } from '../http/host-fetch.ts'
import { readableBody } from '../http/response-text.ts'
import { responseText } from './answer-texts.ts'

/** Web access within the rules. A body that is not text is only described. */
export function httpFetch(egressFor: EgressFor): Tool {
  return defineTool({
    name: 'http_fetch',
    description: 'Fetches a granted URL. Follows redirects.',
    input: fetchInput,
    needs: ['http:fetch'],
    renderText: responseText,
    annotations: { openWorldHint: true },
    async run(request, { call }) {
      const response = await fetchForCall(egressFor(call), call, request)
      const contentType = response.headers['content-type'] ?? ''
      const { text, description } = readableBody(response.body, { ...response, contentType })
      return answer({ ...describeResponse(response), body: text ?? `(${description})` })
    },
  })
}
