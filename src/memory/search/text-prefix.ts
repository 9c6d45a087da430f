import type { EmbedOptions } from './embedder.ts'

/** Prefixes that the authors of some models require, by model name; without them, results are worse. */
const prefixes: readonly { readonly model: RegExp; readonly query: string; readonly document: string }[] = [
  { model: /nomic-embed/, query: 'search_query: ', document: 'search_document: ' },
  { model: /(?:^|[/-])e5-(?!mistral)/, query: 'query: ', document: 'passage: ' },
  {
    model: /mxbai-embed|bge-(?:small|base|large)-en/,
    query: 'Represent this sentence for searching relevant passages: ',
    document: '',
  },
]

export function prefixFor(model: string, as: EmbedOptions['as']): string {
  return prefixes.find((one) => one.model.test(model.toLowerCase()))?.[as] ?? ''
}
