/**
 * What a text for the shell consists of, as bash reads it. Every node knows where it is in the text, so that an interpreter
 * can also work with what is written.
 */

interface Span {
  readonly start: number
  /** The offset after its last character. */
  readonly end: number
}

/** Commands in the order of the text. A command inside another is a script of its own, in a part of a word. */
export interface Script extends Span {
  /** The text that all offsets below refer to; of backquotes it is the unescaped text between them. */
  readonly text: string
  readonly tokens: readonly ShellToken[]
}

export type ShellToken = Span &
  (
    | { readonly type: 'word'; readonly parts: readonly WordPart[] }
    | { readonly type: 'blank' }
    | { readonly type: 'comment' }
    /** A backslash at the end of a line, between words. */
    | { readonly type: 'continuation' }
    /** `;`, `&&`, a newline and the like. */
    | { readonly type: 'separator'; readonly operator: string }
    /** Parentheses. */
    | { readonly type: 'opening' }
    | { readonly type: 'closing' }
    /** Its target is the next word. `stream` is the number before it, or empty. */
    | { readonly type: 'redirection'; readonly operator: string; readonly stream: string }
    | { readonly type: 'here-document'; readonly document: HereDocument }
    /** The lines of a here-document, with the one that ends it. */
    | {
        readonly type: 'document-body'
        readonly document: HereDocument
        readonly contentEnd: number
        readonly parts: readonly WordPart[]
      }
    /** `((…))` in the place of a command. */
    | { readonly type: 'calculation'; readonly content: string; readonly parts: readonly WordPart[] }
  )

/** A token of one type. */
export type TokenOf<T extends ShellToken['type']> = Extract<ShellToken, { readonly type: T }>

export interface HereDocument {
  /** With its quotes. */
  readonly writtenDelimiter: string
  readonly delimiter: string
  readonly isIndented: boolean
  /** Without expansions, because the delimiter is quoted. */
  readonly isLiteral: boolean
  /** Announced in a substitution that ends before the body: older versions of bash read the body as commands. */
  readonly isLate: boolean
}

export type WordPart = Span &
  (
    | { readonly type: 'literal' }
    /** A backslash and what it protects; `value` is empty for a newline. */
    | { readonly type: 'escape'; readonly value: string }
    | { readonly type: 'single-quoted'; readonly content: string; readonly isClosed: boolean }
    /** `$'…'`, in which escapes have a meaning. */
    | { readonly type: 'ansi-quoted'; readonly content: string; readonly isClosed: boolean }
    /** `isTranslated`: `$"…"`. */
    | {
        readonly type: 'double-quoted'
        readonly parts: readonly WordPart[]
        readonly isClosed: boolean
        readonly isTranslated: boolean
      }
    /** `$name`, `$1`, `$?`. */
    | { readonly type: 'variable'; readonly name: string }
    /** `${…}`: its content, and the parts of that. */
    | { readonly type: 'parameter'; readonly content: string; readonly parts: readonly WordPart[] }
    /** A command whose output is used. */
    | {
        readonly type: 'substitution'
        readonly opener: Opener
        readonly script: Script
        readonly isClosed: boolean
      }
    /** `$((…))`, or `$[…]`, which means the same. */
    | {
        readonly type: 'arithmetic'
        readonly opener: '$((' | '$['
        readonly content: string
        readonly parts: readonly WordPart[]
      }
    /** `*`, `?`, or a `[` that may begin a set of characters. */
    | { readonly type: 'wildcard' }
    /** `{a,b}` or `{1..3}`, without quotes and expansions in it. */
    | { readonly type: 'braces' }
    /** The rest of the text, nested too deeply to be parsed. */
    | { readonly type: 'unparsed' }
  )

/** A part of one type. */
export type PartOf<T extends WordPart['type']> = Extract<WordPart, { readonly type: T }>

export type Opener = '$(' | '<(' | '>(' | '`'
