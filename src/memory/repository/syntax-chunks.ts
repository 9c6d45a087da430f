/** Cuts source code at what it declares. Pure: the tree comes from whoever can parse. */

import { fitsChunk, trimmed, type Chunk } from './chunk.ts'
import { lineChunks } from './line-chunks.ts'

/** What is used of a node of tree-sitter. */
export interface SyntaxNode {
  readonly type: string
  readonly text: string
  readonly namedChildCount: number
  readonly namedChildren: readonly (SyntaxNode | null)[]
  readonly startPosition: { readonly row: number }
  readonly endPosition: { readonly row: number; readonly column: number }
  childForFieldName(field: string): SyntaxNode | null
}

/** A declaration with the comments before it, and all up to the next. */
interface Piece {
  readonly first: number
  readonly last: number
  readonly name: string
  readonly node?: SyntaxNode | undefined
}

export function syntaxChunks(lines: readonly string[], root: SyntaxNode): Chunk[] {
  return chunksOf(lines, childrenOf(root), { first: 1, last: lines.length, name: '' })
}

function chunksOf(lines: readonly string[], nodes: readonly SyntaxNode[], whole: Piece): Chunk[] {
  const chunks: Chunk[] = []
  let waiting: Piece | undefined
  const flush = (): void => {
    if (waiting !== undefined) chunks.push(...trimmed(lines, chunkOf(waiting)))
    waiting = undefined
  }
  for (const piece of piecesOf(nodes, whole)) {
    if (!fitsChunk(lines, piece.first, piece.last)) {
      flush()
      chunks.push(...cutFurther(lines, piece))
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

/** What is this long and has a name is a chunk of its own. */
const minLinesAlone = 8
/** Small things are put together up to this. */
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

function cutFurther(lines: readonly string[], piece: Piece): Chunk[] {
  const body = piece.node && bodyOf(piece.node)
  if (body === undefined) return lineChunks(lines, piece, piece.name === '' ? undefined : piece.name)
  return chunksOf(lines, childrenOf(body), piece)
}

/** Together they cover the whole, from its first line to its last. */
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
    const isIts = comment !== undefined && lines.first - comment.last <= 1
    starts.push({ first: isIts ? comment!.first : lines.first, node })
    comment = undefined
  }
  // Two on one line stay together, under the first.
  const distinct = starts.filter((start, at) => start.first > (at === 0 ? first - 1 : starts[at - 1]!.first))
  if (distinct[0]?.first !== first) distinct.unshift({ first })
  return distinct.map((start, at) => ({
    first: start.first,
    last: (distinct[at + 1]?.first ?? last + 1) - 1,
    name:
      start.node === undefined || isDetail(start.node, prefix) ? prefix : named(prefix, nameOf(start.node)),
    node: start.node,
  }))
}

/** A variable inside of something is not what anyone would call that part by. */
function isDetail(node: SyntaxNode, prefix: string): boolean {
  return (
    prefix !== '' && height(node) < minLinesAlone && /variable|lexical|var_|let_|local|assign/.test(node.type)
  )
}

function named(prefix: string, name: string): string {
  return prefix === '' || name === '' ? name || prefix : `${prefix}.${name}`
}

function linesOf({ startPosition, endPosition }: SyntaxNode): { first: number; last: number } {
  const endsBefore = endPosition.column === 0 && endPosition.row > startPosition.row
  return { first: startPosition.row + 1, last: endPosition.row + (endsBefore ? 0 : 1) }
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return node.namedChildren.filter((child) => child !== null)
}

const deepest = 6

/** What a declaration holds: where most of its lines are, further in as long as there is only one thing. */
function bodyOf(node: SyntaxNode, depth = 0): SyntaxNode | undefined {
  if (depth > deepest) return undefined
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

/** In the words of the grammars: where the name of a declaration is found, or what holds it. */
const wayToName = ['name', 'declaration', 'definition', 'declarator', 'type'] as const
const holdsName = /declarator|_spec$|declaration$|definition$/
const isName = /^[\w$.:~<>?!*'-]{1,80}$/

function nameOf(node: SyntaxNode, depth = 0): string {
  if (depth > deepest || /^(?:import|use|using|include|package|expression)/.test(node.type)) return ''
  for (const field of wayToName) {
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
