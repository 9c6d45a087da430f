/**
 * The texts that models see of answers whose data is mostly text: that text as it is, so that a model can quote it
 * exactly, and everything else about it in lines in brackets.
 */

import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { onLines, plain, quoted, remark } from '../text-parts.ts'

/** `[lines 21-40 of 310]`, then the numbered lines. No hash: which version an agent has read is recorded for it. */
export function readText({ lines, text, note, bytes, ...others }: JsonObject): string {
  const isCounted = lines !== undefined && plain(lines).includes(' of ')
  const about = [
    ...(lines === undefined ? [] : [placeText(plain(lines))]),
    ...Object.entries(others)
      .filter(([key]) => key !== 'hash')
      .map(([key, value]) => (plainFields.has(key) ? '' : `${key} `) + plain(value)),
    ...(isCounted || bytes === undefined ? [] : [`${plain(bytes)} bytes`]),
  ]
  return onLines([remark(about.join(', ')), remark(note), quoted(text)])
}

/** Clear without their names. */
const plainFields: ReadonlySet<string> = new Set(['encoding', 'type', 'size'])

function placeText(lines: string): string {
  return lines.startsWith('none') ? `no lines${lines.slice('none'.length)}` : `lines ${lines}`
}

/** Lines as ripgrep prints them. How many there are in all is said if some are not shown. */
export function searchText({ found, note, text }: JsonObject): string {
  const lines = quoted(text)
  if (lines === '') return onLines([remark('no match'), remark(note)])
  return onLines([lines, note === undefined ? '' : remark(`${plain(found)}. ${plain(note)}`)])
}

/** The changed lines below what was done. */
export function editText({ done, text }: JsonObject): string {
  return onLines([plain(done), quoted(text)])
}

/** `replaced: lines +12 -3, changed 4-15, 2048 bytes` */
export function writeText({ done, lines, changed, bytes }: JsonObject): string {
  const about = [
    ...(lines === undefined ? [] : [/^[+-]/.test(plain(lines)) ? `lines ${plain(lines)}` : plain(lines)]),
    ...(changed === undefined ? [] : [`changed ${plain(changed)}`]),
    `${plain(bytes)} bytes`,
  ]
  return `${plain(done)}: ${about.join(', ')}`
}

/** Standard output, standard error below a mark, and how the command ended unless it just succeeded. */
export function commandText({ id, stdout, stderr, ...end }: JsonObject): string {
  // It runs in the background.
  if (id !== undefined) return `${plain(id)}: ${plain(end.note)}`
  const output = quoted(stdout)
  const errors = quoted(stderr)
  const status = [
    ...(end.exit_code === 0 ? [] : [`exit code ${plain(end.exit_code)}`]),
    ...(output === '' && errors === '' ? ['no output'] : []),
  ]
  return onLines([
    output,
    errors === '' ? '' : `[stderr]\n${errors}`,
    remark(status.join(', ')),
    ...endRemarks(end),
  ])
}

/** The output of a background command since it was last read, and its status. */
export function backgroundText({ status, output, error, dropped, next, more, ...end }: JsonObject): string {
  const state = [
    end.exit_code === undefined ? plain(status) : `${plain(status)} with code ${plain(end.exit_code)}`,
    `next ${plain(next)}`,
    ...(more === undefined ? [] : [`${plain(more)} more bytes`]),
  ]
  return onLines([
    dropped === undefined ? '' : remark(`${plain(dropped)} bytes before this are no longer stored`),
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
  const list = places.map(({ path, to }) => `${plain(path)} to ${plain(to)}`).join(', ')
  return [remark(note), remark(refused), list === '' ? '' : remark(`moved aside: ${list}. ${plain(why)}`)]
}

/** The status, headers and body of a response. */
export function responseText({ status, url, headers, body, ...others }: JsonObject): string {
  const about = Object.entries({ ...(isJsonObject(headers) && headers), ...others })
  const head = [`${plain(status)} ${plain(url)}`, ...about.map(([name, value]) => `${name}: ${plain(value)}`)]
  return `${onLines(head)}\n\n${quoted(body)}`
}
