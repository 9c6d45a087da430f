/** The values of a Kubernetes Secret in YAML or JSON: all of them are secret, whatever they look like. */

import type { SecretSpan } from '../text/span.ts'

/** How a Secret declares its kind. */
export const kubernetesKeywords: readonly string[] = [
  'kind: secret',
  'kind: "secret"',
  '"kind": "secret"',
  '"kind":"secret"',
]

const rule = 'kubernetes-secret-yaml'
/** Maximum distance of the values from the kind. */
const maxDistance = 32_768

export interface SecretDocument {
  readonly spans: readonly SecretSpan[]
  /** End of the document: keywords before it belong to the same Secret. */
  readonly readTo: number
}

/** The values of the Secret whose kind is declared at `start`. */
export function findKubernetesSecret(text: string, start: number, end: number): SecretDocument {
  // `kind: SecretStore` is another kind.
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
  const from = Math.max(0, start - maxDistance)
  const separator = text.slice(from, start).lastIndexOf('\n---')
  return separator === -1 ? from : from + separator + 1
}

function endOfDocument(text: string, end: number): number {
  const rest = text.slice(end, end + maxDistance)
  const separator = rest.indexOf('\n---')
  return end + (separator === -1 ? rest.length : separator)
}

type ValueRange = readonly [at: number, length: number]

function yamlValues(document: string): ValueRange[] {
  const values: ValueRange[] = []
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

function jsonValues(document: string): ValueRange[] {
  return [...document.matchAll(/"(?:data|stringData)"\s{0,4}:\s{0,4}\{([^{}]{1,16384})\}/g)].flatMap(
    (block) =>
      [...block[1]!.matchAll(/"[^"\\]{1,253}"\s{0,4}:\s{0,4}"([^"\\]{3,8192})"/g)].map((pair): ValueRange => {
        const at = block.index + block[0].indexOf(block[1]!) + pair.index + pair[0].lastIndexOf(pair[1]!)
        return [at, pair[1]!.length]
      }),
  )
}
