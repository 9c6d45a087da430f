/** File names as a report shows them: a file name can contain a secret too. */

import { settle } from '../../text/settle.ts'
import type { SecretSpan } from '../../text/span.ts'
import type { ScanRules } from '../rules/scan-rules.ts'
import { searchText, type SearchResult } from './search-text.ts'

/** The path with every secret in it masked. */
export function createNameMask(rules: ScanRules): (path: string) => string {
  let last = { path: '', shown: '' }
  return (path) => {
    // Findings of one file come consecutively.
    if (last.path !== path) last = { path, shown: withMasks(path, secretsIn(path, rules)) }
    return last.shown
  }
}

/**
 * The rules that find a secret in the last path component. A secret in a folder name would be reported for every file
 * in it.
 */
export function rulesThatFindName(path: string, rules: ScanRules): string[] {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('!')) + 1)
  return [...new Set(search(name, path, rules).findings.map(({ rule }) => rule))]
}

function search(text: string, path: string, rules: ScanRules): SearchResult {
  return searchText(text, { rules, path, decode: true })
}

/** Masks the whole path if it is crafted so that masking keeps exposing more. */
function secretsIn(path: string, rules: ScanRules): readonly SecretSpan[] {
  try {
    return settle(path, (text) => search(text, path, rules).hidden)
  } catch {
    return [{ rule: '', start: 0, end: path.length }]
  }
}

function withMasks(path: string, spans: readonly SecretSpan[]): string {
  let shown = ''
  let at = 0
  for (const { start, end } of spans) {
    shown += `${path.slice(at, start)}[SECRET]`
    at = end
  }
  return shown + path.slice(at)
}
