import type { Result } from '../../core/result.ts'

/** The result as one text, as the agent saw it. */
export function resultText(result: Result): string {
  switch (result.kind) {
    case 'answer': {
      const { content, structured, own } = result
      const parts = content.map((block) =>
        block.type === 'text' && typeof block.text === 'string' ? block.text : JSON.stringify(block),
      )
      // The text of our own tools is rendered from the structured content.
      if (structured !== undefined && !(own && parts.length > 0)) parts.push(JSON.stringify(structured))
      return parts.join('\n')
    }
    case 'payload':
      return JSON.stringify(result.value)
    case 'input_required':
      return JSON.stringify(result.requests)
    case 'refusal':
    case 'fault':
      return JSON.stringify(result.error)
  }
}
