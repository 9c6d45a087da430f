/**
 * Findings of an earlier run that are not reported again, read from our JSON or SARIF reports or from gitleaks reports.
 * A finding is matched by file and identity, which do not change when a line moves, or by its fingerprint if the report
 * has no identities.
 */

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { identityKey } from '@contextd/shared/sarif'
import { findingFingerprint } from '../../gitleaks/ignore-file.ts'
import type { ScanFinding } from './finding.ts'
import { fileOfUri } from './sarif.ts'

export interface Baseline {
  isKnown(finding: ScanFinding, secret: string): boolean
}

/** Undefined if the text is not a report in one of these formats. */
export function readBaseline(text: string): Baseline | undefined {
  let read: Json
  try {
    read = JSON.parse(text.replace(/^\uFEFF/, '')) as Json
  } catch {
    return undefined
  }
  if (Array.isArray(read)) return fromEntries(read.map(readGitleaks))
  if (!isJsonObject(read)) return undefined
  if (Array.isArray(read.findings)) return fromEntries(read.findings.map(readFinding))
  if (Array.isArray(read.runs)) return fromEntries(read.runs.flatMap(readRun))
  return undefined
}

interface Entry {
  readonly file: string
  readonly identity?: string
  readonly fingerprint?: string
  /** In gitleaks reports, unless redacted. */
  readonly secret?: string
}

/** Undefined if one of the entries is invalid. */
function fromEntries(entries: readonly (Entry | undefined)[]): Baseline | undefined {
  const identities = new Set<string>()
  const fingerprints = new Set<string>()
  const secrets = new Map<string, string[]>()
  for (const entry of entries) {
    if (entry === undefined) return undefined
    const { file, identity, fingerprint, secret } = entry
    if (identity !== undefined) identities.add(`${file}\0${identity}`)
    else if (secret !== undefined) secrets.set(file, [...(secrets.get(file) ?? []), secret])
    else if (fingerprint !== undefined) fingerprints.add(fingerprint)
  }
  return {
    isKnown: ({ file, identity, fingerprint }, secret) =>
      identities.has(`${file}\0${identity}`) ||
      fingerprints.has(fingerprint) ||
      (secrets.get(file) ?? []).some((known) => isSame(known, secret)),
  }
}

/** Tools may disagree about where a secret starts and ends. */
function isSame(known: string, secret: string): boolean {
  return (
    known === secret ||
    (known.length >= 8 && secret.length >= 8 && (known.includes(secret) || secret.includes(known)))
  )
}

function readFinding(entry: Json): Entry | undefined {
  if (!isJsonObject(entry)) return undefined
  const { file, identity } = entry
  return typeof file === 'string' && typeof identity === 'string' ? { file, identity } : undefined
}

function readGitleaks(entry: Json): Entry | undefined {
  if (!isJsonObject(entry)) return undefined
  const { File: file, RuleID: rule, StartLine: line, Secret: secret, Commit: commit } = entry
  if (typeof file !== 'string' || typeof rule !== 'string' || typeof line !== 'number') return undefined
  const place = { path: file, rule, line, ...(typeof commit === 'string' && commit !== '' && { commit }) }
  const hasSecret = typeof secret === 'string' && secret !== '' && !/^REDACTED$|\.\.\.$/.test(secret)
  return { file, fingerprint: findingFingerprint(place), ...(hasSecret && { secret }) }
}

function readRun(run: Json): (Entry | undefined)[] {
  if (!isJsonObject(run) || !Array.isArray(run.results)) return [undefined]
  return run.results.map(readResult)
}

function readResult(result: Json): Entry | undefined {
  const rule = at(result, 'ruleId')
  const location = at(result, 'locations', 0, 'physicalLocation')
  const uri = at(location, 'artifactLocation', 'uri')
  if (typeof rule !== 'string' || typeof uri !== 'string') return undefined
  const file = fileOfUri(uri)
  const identity = at(result, 'partialFingerprints', identityKey)
  if (typeof identity === 'string') return { file, identity }
  const line = at(location, 'region', 'startLine')
  const commit = at(result, 'partialFingerprints', 'commitSha')
  const place = { path: file, rule, line: typeof line === 'number' ? line : 0 }
  return {
    file,
    fingerprint: findingFingerprint({
      ...place,
      ...(typeof commit === 'string' && commit !== '' && { commit }),
    }),
  }
}

function at(value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  return path.reduce<Json | undefined>((held, step) => {
    if (typeof step === 'number') return Array.isArray(held) ? held[step] : undefined
    return isJsonObject(held) && Object.hasOwn(held, step) ? held[step] : undefined
  }, value)
}
