/** Escapes output to a terminal, in case a command prints untrusted text. Pipes and files receive it unchanged. */

import { StringDecoder } from 'node:string_decoder'

import { terminalText } from '../text/visible-text.ts'
import type { OutputStream } from './output.ts'

export function fitForTerminal(stream: OutputStream): OutputStream {
  if (stream.isTTY !== true) return stream
  const decoder = new StringDecoder()
  return {
    isTTY: true,
    get columns() {
      return stream.columns ?? 0
    },
    write: (data) =>
      stream.write(terminalText(typeof data === 'string' ? data : decoder.write(Buffer.from(data)))),
    on: (event, listener) => stream.on?.(event, listener),
  }
}
