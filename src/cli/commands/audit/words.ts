/** One-line descriptions of records. */

import { isJsonObject } from '@contextd/shared/json/value'
import type { AuditEntry } from '../../../stages/audit/query.ts'
import type { AuditRecord } from '../../../stages/audit/record.ts'

/** The intended tool, where one tool calls another. */
export function recordedTool(
  record: Pick<AuditRecord, 'server' | 'tool' | 'target_server' | 'target_tool'>,
): string {
  const { server, tool, target_server: aimedServer, target_tool: aimedTool } = record
  return `${aimedServer ?? server}.${aimedTool ?? tool}`
}

export function outcomeOf(entry: AuditEntry): string {
  const { status, error, decision } = entry
  return status === 'crashed' || status === 'open' ? status : (error ?? decision ?? detail(entry, 'outcome'))
}

/** `http-request GET registry.example.org:443`: the name and the most useful details. */
export function eventWords(entry: Pick<AuditRecord, 'event' | 'details'>): string {
  const of = [detail(entry, 'server') || detail(entry, 'upstream'), detail(entry, 'tool')].filter(Boolean)
  const on = detail(entry, 'key') || detail(entry, 'path') || detail(entry, 'file')
  return [entry.event ?? '', requestWords(entry), of.join('.') || on].filter(Boolean).join(' ')
}

/** `GET registry.example.org:443`, if the event is about a request. */
export function requestWords(entry: Pick<AuditRecord, 'details'>): string {
  const host = ['host', 'port'].map((name) => detail(entry, name)).filter(Boolean)
  return [detail(entry, 'method'), host.join(':')].filter(Boolean).join(' ')
}

export function detail({ details }: Pick<AuditRecord, 'details'>, name: string): string {
  const value = isJsonObject(details) ? details[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
