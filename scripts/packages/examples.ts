/** Extracts the examples from the comments of a public API; each is a complete program. */

import type { Declaration } from './declarations.ts'

export interface Example {
  /** The specifier its export is imported from: `@contextd/scrub/scan`. */
  readonly specifier: string
  readonly name: string
  /** Undefined if the comment has no example, or one that does not import the name. */
  readonly code: string | undefined
}

export function exampleOf(
  specifier: string,
  { name, comment }: Pick<Declaration, 'name' | 'comment'>,
): Example {
  const [, lines = ''] = /^ \* @example\n((?: \*(?! @).*\n)+)/m.exec(comment) ?? []
  const code = lines.replace(/^ \*(?: |$|\/\n)/gm, '')
  const isComplete = new RegExp(
    `^import (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from '${specifier}'$`,
    'm',
  ).test(code)
  return { specifier, name, code: isComplete ? code : undefined }
}

/** What the example prints, according to its comments. */
export function outputOf(code: string): string {
  return Array.from(code.matchAll(/^\/\/ → (.*)$/gm), ([, line = '']) => line).join('\n')
}
