import type { ModelApi } from '../core/model.ts'
import { anthropic } from './anthropic/dialect.ts'
import type { Dialect } from './wire/dialect.ts'
import { gemini } from './gemini/dialect.ts'
import { openai } from './openai/dialect.ts'

/** The implementation of each wire format. */
export const dialects: Readonly<Record<ModelApi, Dialect>> = { anthropic, openai, gemini }
