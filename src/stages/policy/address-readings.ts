/**
 * The different spellings of a resource: `file:///a/../b`, `FILE:///b`, `file:///%62` and `file:/b` are all
 * `file:///b` to the server that reads them. Rules apply to what is meant.
 */
export interface AddressReadings {
  /** A deny must match none of them. */
  readonly all: readonly string[]
  /** An allow must match all of them: as written, and as a server may interpret it. */
  readonly meant: readonly string[]
}

/** Some servers decode repeatedly. */
const maxRounds = 3

export function addressReadings(address: string): AddressReadings {
  const plain = plainAddress(address)
  const meant = plain === address ? [address] : [address, plain]
  const bare = plain.replace(/[?#].*$/s, '')
  return { meant, all: bare === plain ? meant : [...meant, bare] }
}

function plainAddress(address: string): string {
  let plain = decoded(normalized(address))
  for (let round = 0; round < maxRounds; round++) {
    const next = decoded(normalized(plain))
    if (next === plain) break
    plain = next
  }
  return plain
}

/** Normalized like URL parsers do, but with decoded characters. */
function normalized(address: string): string {
  // URL parsers strip these first.
  const text = address.replace(/^[\0-\x20]+|(?<![\0-\x20])[\0-\x20]+$|[\t\n\r]/g, '').replaceAll('\\', '/')
  if (!URL.canParse(text)) return text
  const { href, protocol } = new URL(text)
  const rest = href.slice(protocol.length)
  const [, authority = '', path = '', tail = ''] = /^(\/\/[^/?#]*)?([^?#]*)(.*)/s.exec(rest) ?? []
  return `${protocol}${authority}${path.replace(/\/{2,}/g, '/')}${tail}`
}

function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
  )
}
