/** The values of a Kubernetes Secret, as YAML or JSON: whatever they look like, they are secret. */

import type { SecretSpan } from '../text/span.ts'

/** Where a Secret says that it is one. */
export const kubernetesKeywords: readonly string[] = [
  'kind: secret',
  'kind: "secret"',
  '"kind": "secret"',
  '"kind":"secret"',
]

const rule = 'kubernetes-secret-yaml'
/** How far the values may be from the word. */
const reach = 32_768

export interface SecretDocument {
  readonly spans: readonly SecretSpan[]
  /** Where the document ends: what else says there that it is a Secret is this one. */
  readonly readTo: number
}

/** The values that belong to the Secret whose kind stands at `start`. */
export function findKubernetesSecret(text: string, start: number, end: number): SecretDocument {
  // `kind: SecretStore` is something else.
  if (/[A-KM-Za-z]/.test(text[end] ?? '')) return { spans: [], readTo: end }
  const from = startOfDocument(text, start)
  const readTo = endOfDocument(text, end)
  const document = text.slice(from, readTo)
  const values = text[start] === '"' ? jsonValues(document) : yamlValues(document)
  return {
    spans: values.map(([at, length]) => ({ rule, start: from + at, end: from + at + length })),
    readTo,
  }
}

function startOfDocument(text: string, start: number): number {
  const from = Math.max(0, start - reach)
  const border = text.slice(from, start).lastIndexOf('\n---')
  return border === -1 ? from : from + border + 1
}

function endOfDocument(text: string, end: number): number {
  const rest = text.slice(end, end + reach)
  const border = rest.indexOf('\n---')
  return end + (border === -1 ? rest.length : border)
}

type Stretch = readonly [at: number, length: number]

function yamlValues(document: string): Stretch[] {
  const values: Stretch[] = []
  for (const block of document.matchAll(/^([ \t]*)(?:data|stringData):[ \t]*\r?\n/gm)) {
    const indent = block[1]!.length
    let at = block.index + block[0].length
    while (at < document.length) {
      const newline = document.indexOf('\n', at)
      const lineEnd = newline === -1 ? document.length : newline
      const line = document.slice(at, lineEnd)
      const depth = line.search(/\S/)
      if (depth !== -1 && depth <= indent) break
      const pair =
        /^\s*[\w.-]{1,253}:\s{1,8}["']?([^\s"'#|>][^\s"']{2,})/.exec(line) ??
        /^\s*([^\s:"']{8,})\s*$/.exec(line)
      if (pair !== null) values.push([at + pair[0].lastIndexOf(pair[1]!), pair[1]!.length])
      at = lineEnd + 1
    }
  }
  return values
}

function jsonValues(document: string): Stretch[] {
  return [...document.matchAll(/"(?:data|stringData)"\s{0,4}:\s{0,4}\{([^{}]{1,16384})\}/g)].flatMap(
    (block) =>
      [...block[1]!.matchAll(/"[^"\\]{1,253}"\s{0,4}:\s{0,4}"([^"\\]{3,8192})"/g)].map((pair): Stretch => {
        const at = block.index + block[0].indexOf(block[1]!) + pair.index + pair[0].lastIndexOf(pair[1]!)
        return [at, pair[1]!.length]
      }),
  )
}
