/** Our section of a Markdown file, between two markers; the rest belongs to others. */

import { ContextdError } from '../../core/errors/errors.ts'
import type { ClientFile } from './client-file.ts'

const begin = '<!-- contextd: begin -->'
const end = '<!-- contextd: end -->'

export function sectionFile(path: string, body: string): ClientFile {
  return {
    path,
    kind: 'section',
    extend: (text) => withSection(text, body, path),
    clear(text) {
      const left = withoutSection(text, path)
      return left.trim() === '' && left !== text ? undefined : left
    },
  }
}

export function withSection(text: string | undefined, body: string, path: string): string {
  const eol = /\r?\n/.exec(text ?? '')?.[0] ?? '\n'
  const section = [begin, ...body.split('\n'), end].join(eol)
  if (text === undefined) return `${section}${eol}`
  const place = findSection(text, path)
  if (place !== undefined) return text.slice(0, place.start) + section + text.slice(place.end)
  if (text.trim() === '') return `${text}${section}${eol}`
  const gap = text.endsWith('\n') ? eol : eol + eol
  return `${text}${gap}${section}${eol}`
}

/** The text without the section and the empty line above it. */
export function withoutSection(text: string, path: string): string {
  const place = findSection(text, path)
  if (place === undefined) return text
  const above = text.slice(0, place.start).replace(/(\r?\n)\r?\n$/, '$1')
  return above + text.slice(place.end).replace(/^\r?\n/, '')
}

function findSection(text: string, path: string): { start: number; end: number } | undefined {
  const [starts, ends] = [placesOf(text, begin), placesOf(text, end)]
  if (starts.length === 0 && ends.length === 0) return undefined
  const [start = -1, stop = -1] = [starts[0], ends[0]]
  if (starts.length !== 1 || ends.length !== 1 || stop < start) {
    throw new ContextdError('CONFIG_INVALID', {
      problem: `${path}: the markers of contextd's section are not one pair`,
      file: path,
      hint: `Nothing was written. Leave one \`${begin}\` and below it one \`${end}\`, or neither.`,
    })
  }
  return { start, end: stop + end.length }
}

function placesOf(text: string, mark: string): number[] {
  return Array.from(text.matchAll(new RegExp(mark, 'g')), ({ index }) => index)
}
