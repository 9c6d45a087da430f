/** Collects the model and its usage, over the events of a stream or from a whole response. */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { ModelReport, ModelUsage } from '../../core/model.ts'
import { readModelName, readTokens } from './reported.ts'

export interface UsageReader {
  /** A response, or the part of one that an event carries. */
  read(response: Json | undefined): void
  report(): ModelReport
}

/** Where one provider reports what. */
export interface UsageFormat {
  /** The member that names the model. */
  readonly model: string
  /** The member that has the usage. */
  readonly usage: string
  /** `before` is what earlier events reported. */
  readonly usageOf: (reported: JsonObject, before: ModelUsage | undefined) => ModelUsage | undefined
}

/** `asked` is the model of the request, for responses that name none. */
export function createUsageReader(format: UsageFormat, asked?: string): UsageReader {
  let model = asked
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

/** Zero where the member is missing. */
export function countIn(value: Json | undefined, name: string): number {
  return (isJsonObject(value) ? readTokens(value[name]) : undefined) ?? 0
}
