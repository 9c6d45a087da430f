import type { Result } from '../../core/result.ts'

/** What the agent got to see, as one text. */
export function resultText(result: Result): string {
  switch (result.kind) {
    case 'answer': {
      const { content, structured, own } = result
      const parts = content.map((block) =>
        block.type === 'text' && typeof block.text === 'string' ? block.text : JSON.stringify(block),
      )
      // The text of our own tools is made from their structured part and says the same.
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
