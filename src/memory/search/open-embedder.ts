import { ContextdError } from '../../core/errors/errors.ts'
import type { Embedder } from './embedder.ts'

export interface EmbedderSettings {
  readonly kind: 'embedded' | 'openai' | 'ollama' | 'onnx' | 'off'
  readonly url: string
  readonly model: string
  /** The key that the server wants, where it wants one. */
  readonly key?: () => string | undefined
  /** Folder with model.onnx and vocab.txt. */
  readonly file: string
}

/**
 * Undefined where it is off. Throws EMBEDDER_UNAVAILABLE; a server that is down shows only when it is asked for vectors.
 * Each driver is loaded only where it is used.
 */
export async function openEmbedder(settings: EmbedderSettings): Promise<Embedder | undefined> {
  switch (settings.kind) {
    case 'off':
      return undefined
    case 'embedded':
      return (await import('./static-embedder.ts')).openStaticEmbedder()
    case 'openai':
      return (await import('./openai-embedder.ts')).createOpenAiEmbedder(serverOf(settings))
    case 'ollama':
      return (await import('./ollama-embedder.ts')).createOllamaEmbedder(
        serverOf({ ...settings, url: settings.url || 'http://127.0.0.1:11434' }),
      )
    case 'onnx':
      needs(settings.file, 'embedder_file')
      return (await import('./onnx-embedder.ts')).openOnnxEmbedder(settings.file)
  }
}

function serverOf(settings: EmbedderSettings): EmbedderSettings {
  needs(settings.url, 'embedder_url')
  needs(settings.model, 'embedder_model')
  return settings
}

function needs(value: string, key: string): void {
  if (value === '') throw new ContextdError('EMBEDDER_UNAVAILABLE', { problem: `memory.${key} is not set` })
}
