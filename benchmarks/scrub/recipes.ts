import { makeSample, seededRandom, type Random } from '@contextd/shared/testing/secret-samples'
import { hashOf } from './case.ts'

/** A separate random source per name. */
export const randomFor = (name: string): Random => seededRandom(hashOf(name))

export const pick = <Item>(items: readonly Item[], random: Random): Item =>
  items[Math.floor(random() * items.length)]!

/**
 * Generates the text of a recipe with its marks. In addition to the recipes of the samples: `{jwt}`, `{basic}` for the
 * header of that name, `{password}` as chosen by a user or a generator, `{urlpassword}` for URLs, `{secret}` as printed
 * by `openssl rand`, and `{weak}`, a weak password.
 */
export function fill(recipe: string, random: Random): string {
  const shielded = recipe.replaceAll('«', '\u0001').replaceAll('»', '\u0002')
  const expanded = shielded.replace(
    /\{(jwt|basic|discord-id|password|urlpassword|secret|weak)\}/g,
    (_, name: keyof typeof makers) => makers[name](random),
  )
  return makeSample(expanded, random).text.replaceAll('\u0001', '«').replaceAll('\u0002', '»')
}

const words = [
  'Falcon',
  'winter',
  'Copper',
  'harbor',
  'Tango',
  'marble',
  'Zephyr',
  'coral',
  'Quartz',
  'meadow',
]

const makers = {
  jwt(random: Random): string {
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const subject = makeSample('{digits:10}', random).text
    const issued = 1_700_000_000 + Math.floor(random() * 50_000_000)
    const claims = { sub: subject, name: pick(words, random), iat: issued, exp: issued + 3600 }
    const signature = makeSample('{word:43}', random).text
    return `${part({ alg: pick(['HS256', 'RS256', 'ES256'], random), typ: 'JWT' })}.${part(claims)}.${signature}`
  },
  'discord-id'(random: Random): string {
    return Buffer.from(makeSample('1{digits:17}', random).text).toString('base64')
  },
  basic(random: Random): string {
    return Buffer.from(makeSample('deploy:{alnum:18}', random).text).toString('base64')
  },
  password(random: Random): string {
    const shapes = [
      `${pick(words, random)}{[!@#%^*_-]:1}{digits:4}{alnum:6}`,
      '{alnum:5}{[!@#%^*_-]:1}{alnum:5}{[!@#%^*_-]:1}{alnum:4}',
      '{alnum:20}',
      `{lower:4}-{lower:4}-{lower:4}-{lower:4}`,
      `${pick(words, random)}-${pick(words, random)}-{digits:3}{[!@#%]:1}{alnum:4}`,
    ]
    return makeSample(pick(shapes, random), random).text
  },
  urlpassword(random: Random): string {
    return encodeURIComponent(makers.password(random))
  },
  secret(random: Random): string {
    return makeSample(
      pick(['{hex:64}', '{hex:32}', '{alnum:40}', '{word:43}', '{base64:43}='], random),
      random,
    ).text
  },
  weak(random: Random): string {
    return pick(
      ['changeme', 'hunter2', 'letmein', 's3cret', 'toor', 'postgres1', 'qwerty12', 'welcome1'],
      random,
    )
  },
}
