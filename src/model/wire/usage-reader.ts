/** Collects the model and its usage from the events of a stream or from a complete response. */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { ModelReport, ModelUsage } from '../../core/model.ts'
import { readModelName, readTokens } from './reported.ts'

export interface UsageReader {
  /** Receives a response, or the part of one that an event contains. */
  read(response: Json | undefined): void
  report(): ModelReport
}

/** Where a provider reports what. */
export interface UsageFormat {
  /** The field that names the model. */
  readonly model: string
  /** The field that contains the usage. */
  readonly usage: string
  /** `before` is what earlier events reported. */
  readonly usageOf: (reported: JsonObject, before: ModelUsage | undefined) => ModelUsage | undefined
}

/** `asked` is the requested model, for responses that do not name one. */
export function createUsageReader(format: UsageFormat, requestedModel?: string): UsageReader {
  let model = requestedModel
  let usage: ModelUsage | undefined
  return {
    read(response) {
      if (!isJsonObject(response)) return
      const { [format.model]: named, [format.usage]: reported } = response
      model = readModelName(named) ?? model
      if (isJsonObject(reported)) usage = format.usageOf(reported, usage)
    },
    report: () => ({ ...(model !== undefined && { model }), ...(usage !== undefined && { usage }) }),
  }
}

/** Zero if the field is missing. */
export function countIn(value: Json | undefined, name: string): number {
  return (isJsonObject(value) ? readTokens(value[name]) : undefined) ?? 0
}
