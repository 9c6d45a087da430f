/** Splits source code along its declarations. Pure: the tree comes from the parser. */

import { fitsChunk, trimChunk, type Chunk } from './chunk.ts'
import { lineChunks } from './line-chunks.ts'

/** The part of a tree-sitter node that we use. */
export interface SyntaxNode {
  readonly type: string
  readonly text: string
  readonly namedChildCount: number
  readonly namedChildren: readonly (SyntaxNode | null)[]
  readonly startPosition: { readonly row: number }
  readonly endPosition: { readonly row: number; readonly column: number }
  childForFieldName(field: string): SyntaxNode | null
}

/** A declaration with its preceding comments, and everything up to the next one. */
interface Piece {
  readonly first: number
  readonly last: number
  readonly name: string
  readonly node?: SyntaxNode | undefined
}

export function syntaxChunks(lines: readonly string[], root: SyntaxNode): Chunk[] {
  return chunksOf(lines, childrenOf(root), { first: 1, last: lines.length, name: '' })
}

function chunksOf(lines: readonly string[], nodes: readonly SyntaxNode[], range: Piece): Chunk[] {
  const chunks: Chunk[] = []
  let waiting: Piece | undefined
  const flush = (): void => {
    if (waiting !== undefined) chunks.push(...trimChunk(lines, chunkOf(waiting)))
    waiting = undefined
  }
  for (const piece of piecesOf(nodes, range)) {
    if (!fitsChunk(lines, piece.first, piece.last)) {
      flush()
      chunks.push(...splitPiece(lines, piece))
      continue
    }
    const joined: Piece | undefined = waiting && join(waiting, piece)
    if (joined !== undefined && !isAlone(piece) && fitsTogether(lines, joined)) waiting = joined
    else {
      flush()
      waiting = piece
    }
    if (isAlone(piece)) flush()
  }
  flush()
  return chunks
}

function chunkOf({ first, last, name }: Piece): Chunk {
  return { name, firstLine: first, lastLine: last }
}

/** Named declarations of at least this length get their own chunk. */
const minLinesAlone = 8
/** Small declarations are combined up to this length. */
const maxLinesTogether = 30
const maxNames = 6

function isAlone({ first, last, name }: Piece): boolean {
  return name !== '' && last - first + 1 >= minLinesAlone
}

function fitsTogether(lines: readonly string[], { first, last }: Piece): boolean {
  return last - first < maxLinesTogether && fitsChunk(lines, first, last)
}

function join(one: Piece, next: Piece): Piece {
  const names = [...new Set([...one.name.split(', '), next.name])].filter((name) => name !== '')
  return { first: one.first, last: next.last, name: names.slice(0, maxNames).join(', ') }
}

function splitPiece(lines: readonly string[], piece: Piece): Chunk[] {
  const body = piece.node && bodyOf(piece.node)
  if (body === undefined) return lineChunks(lines, piece, piece.name === '' ? undefined : piece.name)
  return chunksOf(lines, childrenOf(body), piece)
}

/** Together, the pieces cover the range from first to last line. */
function piecesOf(nodes: readonly SyntaxNode[], { first, last, name: prefix }: Piece): Piece[] {
  const starts: { first: number; node?: SyntaxNode | undefined }[] = []
  let comment: { first: number; last: number } | undefined
  for (const node of nodes) {
    const lines = linesOf(node)
    if (/comment|decorator|attribute_item|annotation/.test(node.type)) {
      const isNext = comment !== undefined && lines.first - comment.last <= 1
      comment = { first: isNext ? comment!.first : lines.first, last: lines.last }
      continue
    }
    const isAdjacent = comment !== undefined && lines.first - comment.last <= 1
    starts.push({ first: isAdjacent ? comment!.first : lines.first, node })
    comment = undefined
  }
  // Two declarations on one line stay together, under the first one's name.
  const distinct = starts.filter((start, at) => start.first > (at === 0 ? first - 1 : starts[at - 1]!.first))
  if (distinct[0]?.first !== first) distinct.unshift({ first })
  return distinct.map((start, at) => ({
    first: start.first,
    last: (distinct[at + 1]?.first ?? last + 1) - 1,
    name:
      start.node === undefined || isDetail(start.node, prefix)
        ? prefix
        : qualifiedName(prefix, nameOf(start.node)),
    node: start.node,
  }))
}

/** A local variable does not name the part that contains it. */
function isDetail(node: SyntaxNode, prefix: string): boolean {
  return (
    prefix !== '' && height(node) < minLinesAlone && /variable|lexical|var_|let_|local|assign/.test(node.type)
  )
}

function qualifiedName(prefix: string, name: string): string {
  return prefix === '' || name === '' ? name || prefix : `${prefix}.${name}`
}

function linesOf({ startPosition, endPosition }: SyntaxNode): { first: number; last: number } {
  const endsBefore = endPosition.column === 0 && endPosition.row > startPosition.row
  return { first: startPosition.row + 1, last: endPosition.row + (endsBefore ? 0 : 1) }
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return node.namedChildren.filter((child) => child !== null)
}

const maxDepth = 6

/** The body of a declaration: the child with most lines, descending while there is only one child. */
function bodyOf(node: SyntaxNode, depth = 0): SyntaxNode | undefined {
  if (depth > maxDepth) return undefined
  const body = node.childForFieldName('body')
  const inner = body ?? childrenOf(node).reduce<SyntaxNode | undefined>(longer, undefined)
  if (inner === undefined) return undefined
  return inner.namedChildCount > 1 && (body !== null || depth > 0) ? inner : bodyOf(inner, depth + 1)
}

function longer(one: SyntaxNode | undefined, other: SyntaxNode): SyntaxNode {
  return one !== undefined && height(one) >= height(other) ? one : other
}

function height({ startPosition, endPosition }: SyntaxNode): number {
  return endPosition.row - startPosition.row
}

/** Grammar fields that contain a declaration's name, or the node that does. */
const nameFields = ['name', 'declaration', 'definition', 'declarator', 'type'] as const
const holdsName = /declarator|_spec$|declaration$|definition$/
const isName = /^[\w$.:~<>?!*'-]{1,80}$/

function nameOf(node: SyntaxNode, depth = 0): string {
  if (depth > maxDepth || /^(?:import|use|using|include|package|expression)/.test(node.type)) return ''
  for (const field of nameFields) {
    if (field === 'type' && node.type !== 'impl_item') continue
    const child = node.childForFieldName(field)
    if (child === null) continue
    const name = field === 'declaration' || field === 'definition' ? '' : child.text.slice(0, 200)
    if (isName.test(name)) return name
    const below = nameOf(child, depth + 1)
    if (below !== '') return below
  }
  const holder = childrenOf(node).find(({ type }) => holdsName.test(type))
  return holder === undefined ? '' : nameOf(holder, depth + 1)
}
