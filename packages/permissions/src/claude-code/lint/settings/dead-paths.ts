/** Paths in rules that match no file, although a shell or another tool would understand them. */

interface DeadPath {
  readonly message: string
  readonly fix: string
  readonly meant?: readonly string[]
}

export function deadPath(tool: string, content: string): DeadPath | undefined {
  const text = `\`${tool}(${content})\``
  if (/(?:^|\/)\.\.(?:\/|$)/.test(content)) {
    return {
      message: `Paths in rules do not support \`..\`: ${text} never matches.`,
      fix: 'Start at the root (`//…`) or at home (`~/…`).',
    }
  }
  if (content.startsWith('!')) {
    return {
      message: `A rule cannot be an exception to others: ${text} never matches.`,
      fix: 'Remove it, and write the other rules so that they exclude the file.',
    }
  }
  const contents = folderContents.get(content)
  if (contents !== undefined) {
    return {
      message: `${text} matches no file, not even below that folder.`,
      fix: `Write \`${tool}(${contents})\` if everything in it is meant.`,
    }
  }
  const home = /^\$(?:HOME|\{HOME\})(\/.*)$/s.exec(content)?.[1]
  if (home !== undefined) {
    const meant = `${tool}(~${home})`
    return {
      message: `Variables in rules are not expanded: ${text} never matches.`,
      fix: `Write \`${meant}\`.`,
      meant: [meant],
    }
  }
  const isPath = content.length <= maxPathLength
  const braces = isPath ? /^([^{}]*)\{(?=[^{}]*,)([^{}]*)\}([^{}]*)$/s.exec(content) : undefined
  const [, before = '', inside, after = ''] = braces ?? []
  if (inside !== undefined) {
    const meant = inside.split(',').map((one) => `${tool}(${before}${one}${after})`)
    return {
      message: `Braces in a rule are literal: ${text} matches a file with braces in its name.`,
      fix: `Write one rule for each: ${meant.map((one) => `\`${one}\``).join(', ')}.`,
      meant,
    }
  }
  return undefined
}

/** No system has longer paths, and each alternative repeats the text around the braces. */
const maxPathLength = 1024

/** Folders, and the patterns for everything in them. */
const folderContents: ReadonlyMap<string, string> = new Map([
  ['.', '**'],
  ['./', '**'],
  ['/', '/**'],
  ['~', '~/**'],
])
