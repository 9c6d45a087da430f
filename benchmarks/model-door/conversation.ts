/** A conversation as a client resends it: the whole history and one new message. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'

export interface Conversation {
  /** The next request: the previous history, a response, and a new message. */
  next(options?: NextRequest): string
}

export interface NextRequest {
  readonly stream?: boolean
  /** The new message contains a new secret. */
  readonly withSecret?: boolean
}

/** File reads of a project: this one, up to the given size. Some of the files contain secrets. */
export function conversationOf(bytes: number): Conversation {
  const messages: object[] = [{ role: 'user', content: 'Find out why the build fails, please.' }]
  let size = 0
  for (let turn = 0; size < bytes; turn += 1) {
    const [use, result] = readOf(turn)
    messages.push(use, result)
    size += JSON.stringify(use).length + JSON.stringify(result).length
  }
  let round = 0
  return {
    next({ stream = false, withSecret = false } = {}) {
      round += 1
      messages.push({ role: 'assistant', content: [{ type: 'text', text: `That was step ${round}.` }] })
      messages.push({ role: 'user', content: [{ type: 'text', text: newMessage(round, withSecret) }] })
      return JSON.stringify({ model: 'bench', max_tokens: 100, stream, messages })
    },
  }
}

const random = seededRandom(19)
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join('src', file))
  .sort()

function readOf(turn: number): [object, object] {
  const file = sources[turn % sources.length]!
  const secret = turn % 20 === 0 ? `GITHUB_TOKEN=${makeSample('ghp_{alnum:36}', random).text}\n` : ''
  // Other projects do not contain our tokens.
  const source = readFileSync(file, 'utf8').replaceAll('[SECRET_', '[WORD_')
  const lines = `${secret}${source}`.split('\n').map((line, at) => `${at + 1}\t${line}`)
  const id = `toolu_${turn}`
  return [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: `/work/${file}` } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: lines.join('\n') }] },
  ]
}

function newMessage(round: number, withSecret: boolean): string {
  const log = withSecret ? makeSample('ghp_{alnum:36}', random).text : 'nothing that helps'
  return `Now look at step ${round}: it fails with exit code ${round % 5}, and the log says ${log}.`
}
