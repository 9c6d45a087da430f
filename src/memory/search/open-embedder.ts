import { ContextdError } from '../../core/errors/errors.ts'
import type { Embedder } from './embedder.ts'

export interface EmbedderSettings {
  readonly kind: 'embedded' | 'openai' | 'ollama' | 'onnx' | 'off'
  readonly url: string
  readonly model: string
  /** The server's API key, if it requires one. */
  readonly key?: () => string | undefined
  /** Folder with model.onnx and vocab.txt. */
  readonly file: string
}

/**
 * Undefined if it is off. Throws EMBEDDER_UNAVAILABLE; an unreachable server is only noticed on first use. Each
 * driver is loaded on demand.
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
      requireSetting(settings.file, 'embedder_file')
      return (await import('./onnx-embedder.ts')).openOnnxEmbedder(settings.file)
  }
}

function serverOf(settings: EmbedderSettings): EmbedderSettings {
  requireSetting(settings.url, 'embedder_url')
  requireSetting(settings.model, 'embedder_model')
  return settings
}

function requireSetting(value: string, key: string): void {
  if (value === '') throw new ContextdError('EMBEDDER_UNAVAILABLE', { problem: `memory.${key} is not set` })
}
