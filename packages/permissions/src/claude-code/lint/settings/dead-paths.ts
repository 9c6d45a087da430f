/** Paths in rules that mean no file, although a shell or another tool would know what is meant. */

interface DeadPath {
  readonly message: string
  readonly fix: string
  readonly meant?: readonly string[]
}

export function deadPath(tool: string, content: string): DeadPath | undefined {
  const text = `\`${tool}(${content})\``
  if (/(?:^|\/)\.\.(?:\/|$)/.test(content)) {
    return {
      message: `No path in a rule goes up: ${text} is never met.`,
      fix: 'Begin at the root (`//…`) or at home (`~/…`).',
    }
  }
  if (content.startsWith('!')) {
    return {
      message: `No rule makes an exception from others: ${text} is never met.`,
      fix: 'Remove it, and write the others so that they leave the file out.',
    }
  }
  const whole = wholes.get(content)
  if (whole !== undefined) {
    return {
      message: `${text} means no file, and none below it either.`,
      fix: `Write \`${tool}(${whole})\` if all that is in it is meant.`,
    }
  }
  const home = /^\$(?:HOME|\{HOME\})(\/.*)$/s.exec(content)?.[1]
  if (home !== undefined) {
    const meant = `${tool}(~${home})`
    return {
      message: `No variable is filled in: ${text} is never met.`,
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
      message: `Braces are no choice in a rule: ${text} means a file with braces in its name.`,
      fix: `Write one rule for each: ${meant.map((one) => `\`${one}\``).join(', ')}.`,
      meant,
    }
  }
  return undefined
}

/** No system has longer ones; and each choice is written out with all that is around it. */
const maxPathLength = 1024

/** Folders that are named as a whole, and how their files are. */
const wholes: ReadonlyMap<string, string> = new Map([
  ['.', '**'],
  ['./', '**'],
  ['/', '/**'],
  ['~', '~/**'],
])
