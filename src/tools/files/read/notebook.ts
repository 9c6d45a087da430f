/** Jupyter notebooks as cells, with the text of their outputs. */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { ToolHost } from '../../../core/ports.ts'
import { answer, type Answer, type Block } from '../../../core/result.ts'
import { fileKind } from '../../../platform/files/file-kind.ts'
import { surroundingBytes } from '../secret-parts.ts'
import { imageBlock, imageProblem, pixelSize } from './image.ts'
import { firstPart, partsShown, showSections, type Section } from './sections.ts'

/** A larger notebook is read as text: parsing it would stop everything else for too long. */
export const maxNotebookBytes = 8 * 1_048_576
/** The rest of a long output is seldom of interest. */
const maxOutputLength = 2000
/** Checked for secrets around what is shown of a long output. */
const maxCheckedOutput = 65_536
const maxSourceLength = 65_536
const maxImages = 4

export interface NotebookRange {
  readonly offset: number
  readonly limit: number
  /** Of the text of the cells. */
  readonly maxLength: number
}

interface Cell {
  readonly type: string
  readonly run: number | undefined
  readonly source: string
  readonly outputs: readonly JsonObject[]
}

/** Undefined if the text is not a notebook of format 4, which all tools have written since 2015. */
export async function showNotebook(
  text: string,
  { offset, limit, maxLength }: NotebookRange,
  about: JsonObject,
  { scrub }: Pick<ToolHost, 'scrub'>,
): Promise<Answer | undefined> {
  const notebook = parse(text)
  if (notebook === undefined) return undefined
  const { cells, language } = notebook
  const first = firstPart(offset, cells.length)
  let images: readonly Block[] = []
  const sections: Section[] = []
  let count = 0
  let length = 0
  for (const [index, cell] of cells.slice(first - 1).entries()) {
    const imagesWith = [...images]
    const parts = sectionsOf(cell, first + index, imagesWith)
    length += lengthOf(parts)
    if (count === limit || (count > 0 && length > maxLength)) break
    sections.push(...parts)
    images = imagesWith
    count++
  }
  const neighbour = (index: number): string => cells[index]?.source ?? ''
  const around = {
    before: neighbour(first - 2).slice(-surroundingBytes),
    after: neighbour(first - 1 + count).slice(0, surroundingBytes),
  }
  return answer(
    {
      cells: partsShown(first, count, cells.length),
      ...(language !== undefined && { language: await scrub(language) }),
      ...about,
      note: 'A notebook. safe_edit changes its JSON: read that with raw: true.',
      text: await showSections(sections, around, scrub),
    },
    { blocks: [...images] },
  )
}

/** Of what is shown. */
function lengthOf(sections: readonly Section[]): number {
  const lengths = sections.map(
    ({ heading, text, maxLength = Infinity }) => heading.length + Math.min(text.length, maxLength),
  )
  return lengths.reduce((sum, length) => sum + length, 0)
}

function parse(text: string): { cells: readonly Cell[]; language?: string } | undefined {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return undefined
  }
  if (!isJsonObject(value) || value.nbformat !== 4 || !Array.isArray(value.cells)) return undefined
  const { metadata } = value
  const info = isJsonObject(metadata) ? (metadata.language_info ?? metadata.kernelspec) : undefined
  const language = isJsonObject(info) ? (info.name ?? info.language) : undefined
  return {
    cells: value.cells.filter(isJsonObject).map((cell): Cell => ({
      type: cell.cell_type === 'code' || cell.cell_type === 'markdown' ? cell.cell_type : 'raw',
      run: Number.isSafeInteger(cell.execution_count) ? Number(cell.execution_count) : undefined,
      source: textOf(cell.source),
      outputs: Array.isArray(cell.outputs) ? cell.outputs.filter(isJsonObject) : [],
    })),
    ...(typeof language === 'string' && { language }),
  }
}

/** Texts are stored as one string, or as a list of lines with their ends. */
function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : ''
}

function sectionsOf(
  { type, run, source, outputs }: Cell,
  number: number,
  images: Block[],
): readonly Section[] {
  const heading = `cell ${number}: ${type}${run === undefined ? '' : ` [${run}]`}`
  const shown: Section = { heading, text: source, maxLength: maxSourceLength }
  const parts = outputs.map((output) => outputText(output, images)).filter((text) => text !== '')
  if (parts.length === 0) return [shown]
  const text = parts.map((part) => (part.endsWith('\n') ? part : `${part}\n`)).join('')
  return [
    shown,
    { heading: `output of cell ${number}`, text: withoutMiddle(text), maxLength: maxOutputLength },
  ]
}

/** What is shown later is far from where this cuts, so no secret is cut in what is shown. */
function withoutMiddle(text: string): string {
  return text.length <= 2 * maxCheckedOutput
    ? text
    : `${text.slice(0, maxCheckedOutput)}\n${text.slice(-maxCheckedOutput)}`
}

function outputText(output: JsonObject, images: Block[]): string {
  if (output.output_type === 'stream') return withoutColours(textOf(output.text))
  if (output.output_type === 'error') {
    const traceback = Array.isArray(output.traceback) ? output.traceback : []
    const lines = traceback.filter((line) => typeof line === 'string').join('\n')
    return withoutColours(lines === '' ? `${textOf(output.ename)}: ${textOf(output.evalue)}` : lines)
  }
  const { data } = output
  if (!isJsonObject(data)) return ''
  return Object.entries(data)
    .map(([type, value]) =>
      type === 'text/plain'
        ? withoutColours(textOf(value))
        : type.startsWith('image/') && type !== 'image/svg+xml'
          ? imageText(type, textOf(value), images)
          : `[${type}, ${inKilobytes(JSON.stringify(value).length)}]`,
    )
    .join('\n')
}

/** Adds the image to those that are returned, if there is room. */
function imageText(type: string, base64: string, images: Block[]): string {
  const bytes = Buffer.from(base64, 'base64')
  const kind = fileKind(bytes, true)
  if (kind.kind !== 'image') return `[${type}, damaged]`
  const size = `${kind.type}, ${kind.width === undefined ? '' : `${pixelSize(kind)}, `}${inKilobytes(bytes.length)}`
  if (imageProblem(kind, bytes) !== undefined || images.length === maxImages) return `[${size}]`
  images.push(imageBlock(kind, bytes))
  return `[${size}: image ${images.length} of this answer]`
}

function inKilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KB`
}

/** Tracebacks are written for terminals. */
function withoutColours(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/\x1b\[[0-9;]{0,32}m/g, '')
}
