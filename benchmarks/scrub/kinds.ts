import type { Random } from '@contextd/shared/testing/secret-samples'
import { labelledCase, readMarks, type Case, type CaseClass } from './case.ts'
import type { Kind } from './kind.ts'
import { newer } from './kinds-newer.ts'
import { accountKinds, tokenKinds } from './kinds-well-known.ts'
import { fill, pick, randomFor } from './recipes.ts'

/** Kinds that every scanner knows. */
export const wellKnown: readonly Kind[] = [...tokenKinds, ...accountKinds]

export const selfDescribing: readonly Kind[] = wellKnown.filter((kind) => kind.length === 2)

export function kindCases(): Case[] {
  return [
    ...wellKnown.flatMap((kind) => casesOf('well-known', kind, plainTexts)),
    ...newer.flatMap((kind) => casesOf('newer', kind, newerTexts)),
  ]
}

/** The value of a kind, marked as the secret unless the recipe marks a part of it. */
export function markedValue(recipe: string, random: Random): string {
  const value = fill(recipe, random)
  return value.includes('«') ? value : `«${value}»`
}

/** Contexts of tokens with a distinctive format. */
const plainTexts: readonly string[] = [
  '§',
  'token: §',
  'export ACCESS_TOKEN=§\nexport REGION=eu-west-1\n',
  'const client = new Client({ token: "§", retries: 3 })',
  "headers = {'Authorization': 'Bearer §'}",
  'I rotated the key, the new one is § and it works until friday',
  '{"name":"deploy","credential":"§","enabled":true}',
  '2026-03-04T10:11:12Z ERROR request failed with key § after 3 tries',
]

const newerTexts: readonly string[] = [
  '§',
  '{provider}_token = "§"',
  'the {provider} key is §',
  '{"{provider}":{"secret":"§"}}',
  'curl -H "Authorization: Bearer §" https://api.{provider}.com/v1/me',
  '{PROVIDER}_API_KEY=§',
]

/** How a value is assigned to its name in files and code. */
const underName: readonly string[] = [
  '{NAME}=§',
  'export {NAME}="§"',
  '{name}: §',
  '{"{name}": "§", "timeout": 30}',
  "const {camel} = '§'",
  '{name} = "§"',
]

/** In prose: the name of the provider and the kind, anywhere before the value. */
const underProvider: readonly string[] = [
  'my {words} is §',
  '{words}: §',
  "{camel}: '§',",
  '<add key="{Pascal}" value="§" />',
]

function casesOf(name: CaseClass, [id, recipe, ...contexts]: Kind, ownTexts: readonly string[]): Case[] {
  const unit = `${name}/${id}`
  const random = randomFor(unit)
  const provider = id.split('-')[0]!
  const names = contexts.filter((context) => !context.includes('§'))
  const named = names.length === 0 ? [] : name === 'newer' ? [...underName, ...underProvider] : underName
  const texts = [
    ...(contexts.length === 0 ? ownTexts : []),
    ...contexts.filter((context) => context.includes('§')),
    ...named.map((text) => inStyles(text, pick(names, random))),
  ]
  return texts.map((text, index) => {
    const value = markedValue(recipe, random)
    const filled = fill(text, random)
      .replaceAll('{provider}', provider)
      .replaceAll('{PROVIDER}', provider.toUpperCase())
      .replace('§', () => value)
    return labelledCase({ class: name, unit: id, variant: String(index) }, readMarks(filled))
  })
}

function inStyles(text: string, name: string): string {
  const parts = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  const pascal = parts.map((part) => part[0]!.toUpperCase() + part.slice(1)).join('')
  return text
    .replaceAll('{NAME}', parts.join('_').toUpperCase())
    .replaceAll('{name}', parts.join('_'))
    .replaceAll('{words}', parts.join(' '))
    .replaceAll('{Pascal}', pascal)
    .replaceAll('{camel}', pascal[0]!.toLowerCase() + pascal.slice(1))
}
