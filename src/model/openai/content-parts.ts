/** The parts of a message or a tool result, in both of OpenAI's formats. */

import { itemsOf, memberOf, memberText, type JsonNode } from '../wire/json-spans.ts'
import { isBase64Pdf } from '../wire/media.ts'
import type { ViewBuilder } from '../wire/view-builder.ts'

/**
 * `hasNotes`: the explanation of tokens may be appended to its texts. Parts of unknown types are scrubbed as they
 * are.
 */
export function readParts(
  text: string,
  content: JsonNode | undefined,
  view: ViewBuilder,
  hasNotes: boolean,
): void {
  for (const part of itemsOf(content)) readPart(text, part, view, hasNotes)
}

function readPart(text: string, part: JsonNode, view: ViewBuilder, hasNotes: boolean): void {
  view.exemptIds(part, ['type'])
  switch (memberText(text, part, 'type') ?? '') {
    case 'text':
    case 'input_text': {
      const string = memberOf(text, part, 'text')
      if (hasNotes && string?.kind === 'string') view.text({ string })
      break
    }
    case 'input_image':
    case 'computer_screenshot':
      view.url(memberOf(text, part, 'image_url'))
      view.exemptIds(part, ['file_id'])
      break
    case 'image_url': {
      const image = memberOf(text, part, 'image_url')
      view.url(memberOf(text, image, 'url') ?? image)
      break
    }
    case 'input_file':
      readFile(text, part, view)
      break
    case 'file':
      readFile(text, memberOf(text, part, 'file'), view)
      break
    case 'input_audio':
      view.exemptIds(memberOf(text, part, 'input_audio'), ['data'])
      break
  }
}

function readFile(text: string, file: JsonNode | undefined, view: ViewBuilder): void {
  view.exemptIds(file, ['file_id'])
  const data = memberOf(text, file, 'file_data')
  if (data?.kind === 'string' && isBase64Pdf(text, data)) view.exempt(data)
  else view.url(data)
}
