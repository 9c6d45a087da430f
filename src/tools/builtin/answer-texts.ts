/**
 * The texts that models see of answers whose data is mostly text: that text as it is, so that a model can quote it
 * exactly, and everything else about it in lines in brackets.
 */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { onLines, shownValue, quoted, remark } from '../text-parts.ts'

/**
 * `[lines 21-40 of 310]`, then the numbered lines; only the lines if they are all there are. No hash: which version an
 * agent has read is recorded for it.
 */
export function readText({ lines, text, note, bytes, ...others }: JsonObject): string {
  const isCounted = lines !== undefined && shownValue(lines).includes(' of ')
  const about = [
    ...(lines === undefined || isWhole(lines, note, text) ? [] : [placeText(shownValue(lines))]),
    ...Object.entries(others)
      .filter(([key]) => key !== 'hash')
      .map(([key, value]) => (plainFields.has(key) ? '' : `${key} `) + shownValue(value)),
    ...(isCounted || bytes === undefined ? [] : [`${shownValue(bytes)} bytes`]),
  ]
  return onLines([remark(about.join(', ')), remark(note), quoted(text)])
}

/** Clear without their names. */
const plainFields: ReadonlySet<string> = new Set(['encoding', 'type', 'size'])

/** From the first line to the last. A text that the budget cut ends with a marker in place of its last line. */
function isWhole(lines: Json, note: Json | undefined, text: Json | undefined): boolean {
  const [, last, total] = /^1-(\d+) of (\d+)$/.exec(shownValue(lines)) ?? []
  const shown = quoted(text)
  return (
    last !== undefined &&
    last === total &&
    note === undefined &&
    shown.slice(shown.lastIndexOf('\n') + 1).startsWith(`${last}\t`)
  )
}

function placeText(lines: string): string {
  if (lines === 'none of 0') return 'no lines'
  return lines.startsWith('none') ? `no lines${lines.slice('none'.length)}` : `lines ${lines}`
}

/** Lines as ripgrep prints them. How many there are in all is said if some are not shown. */
export function foundText({ found, note, text }: JsonObject): string {
  const lines = quoted(text)
  if (lines === '') return onLines([remark('no match'), remark(note)])
  return onLines([lines, note === undefined ? '' : remark(`${shownValue(found)}. ${shownValue(note)}`)])
}

/** The changed lines below what was done. */
export function editText({ done, text }: JsonObject): string {
  return onLines([shownValue(done), quoted(text)])
}

/** `replaced: lines +12 -3, changed 4-15, 2048 bytes` */
export function writeText({ done, lines, changed, bytes }: JsonObject): string {
  const about = [
    ...(lines === undefined
      ? []
      : [/^[+-]/.test(shownValue(lines)) ? `lines ${shownValue(lines)}` : shownValue(lines)]),
    ...(changed === undefined ? [] : [`changed ${shownValue(changed)}`]),
    `${shownValue(bytes)} bytes`,
  ]
  return `${shownValue(done)}: ${about.join(', ')}`
}

/** Standard output, standard error below a mark, and how the command ended unless it just succeeded. */
export function commandText({ id, stdout, stderr, ...end }: JsonObject): string {
  // It runs in the background.
  if (id !== undefined) return `${shownValue(id)}: ${shownValue(end.note)}`
  const output = quoted(stdout)
  const errors = quoted(stderr)
  const silence = output === '' && errors === '' ? 'no output' : ''
  return onLines([
    output,
    errors === '' ? '' : `[stderr]\n${errors}`,
    remark(end.exit_code === 0 ? silence : `exit code ${shownValue(end.exit_code)}`),
    ...endRemarks(end),
  ])
}

/** The output of a background command since it was last read, and its status. */
export function backgroundText({ status, output, error, dropped, next, more, ...end }: JsonObject): string {
  const state = [
    end.exit_code === undefined
      ? shownValue(status)
      : `${shownValue(status)} with code ${shownValue(end.exit_code)}`,
    `next ${shownValue(next)}`,
    ...(more === undefined ? [] : [`${shownValue(more)} more bytes`]),
  ]
  return onLines([
    dropped === undefined ? '' : remark(`${shownValue(dropped)} bytes before this are no longer stored`),
    quoted(output),
    remark(state.join(', ')),
    remark(error),
    ...endRemarks(end),
  ])
}

/** What `describeEnd` says besides the exit code. */
function endRemarks({
  note,
  refused_because: refused,
  moved_aside: moved,
  moved_aside_because: why,
}: JsonObject): string[] {
  const places = Array.isArray(moved) ? moved.filter(isJsonObject) : []
  const list = places.map(({ path, to }) => `${shownValue(path)} to ${shownValue(to)}`).join(', ')
  return [
    remark(note),
    remark(refused),
    list === '' ? '' : remark(`moved aside: ${list}. ${shownValue(why)}`),
  ]
}

/** The status, headers and body of a response. */
export function responseText({ status, url, headers, body, ...others }: JsonObject): string {
  const about = Object.entries({ ...(isJsonObject(headers) && headers), ...others })
  const head = [
    `${shownValue(status)} ${shownValue(url)}`,
    ...about.map(([name, value]) => `${name}: ${shownValue(value)}`),
  ]
  return `${onLines(head)}\n\n${quoted(body)}`
}
