import type { Random } from '@contextd/shared/testing/secret-samples'
import { labelledCase, readMarks, type Case, type CaseClass } from './case.ts'
import { cloudOutputs } from './outputs/cloud.ts'
import { containerOutputs } from './outputs/containers.ts'
import { fileOutputs } from './outputs/files.ts'
import { shellOutputs } from './outputs/shell.ts'
import { weakOutputs } from './outputs/weak.ts'
import { fill, randomFor } from './recipes.ts'

export const toolOutputs: Readonly<Record<string, string>> = {
  ...shellOutputs,
  ...containerOutputs,
  ...cloudOutputs,
  ...fileOutputs,
}

const timesPerOutput = 3

export function toolOutputCases(): Case[] {
  return [...casesOf('tool-outputs', toolOutputs), ...casesOf('weak', weakOutputs)]
}

function casesOf(name: CaseClass, templates: Readonly<Record<string, string>>): Case[] {
  return Object.entries(templates).flatMap(([unit, template]) => {
    const random = randomFor(`${name}/${unit}`)
    return Array.from({ length: timesPerOutput }, (_, index) =>
      labelledCase(
        { class: name, unit, variant: String(index) },
        readMarks(fill(withEncodedValues(template, random), random)),
      ),
    )
  })
}

/** Values that the tool prints encoded. */
const encodedValues: Readonly<Record<string, string>> = {
  '{b64password}': '{alnum:20}',
  '{b64github}': 'ghp_{alnum:36}',
  '{b64hex}': '{hex:32}',
  '{b64docker}': '{"auths":{"ghcr.io":{"username":"ci","password":"ghp_{alnum:36}"}}}',
}

const edge = (word: string): string => `-----${word} PRIVATE KEY-----`
const pemText =
  `${edge('BEGIN')}\\n«MIIEvQIBADANBgkq{base64:48}\\n{base64:64}\\n{base64:64}\\n{base64:32}»\\n` +
  `${edge('END')}\\n`

function withEncodedValues(template: string, random: Random): string {
  let text = template.replaceAll('{pem}', pemText)
  for (const [name, recipe] of Object.entries(encodedValues)) {
    text = text.replaceAll(name, () => Buffer.from(fill(recipe, random)).toString('base64'))
  }
  return text
}
