/** `contextd-proxy` as a program that can be completed: its tools, and the flags of built-in ones by their schemas. */

import { Command, Option } from 'commander'

import toolParameters from '../../../clients/tool-links/parameters.json' with { type: 'json' }
import { linkedTools } from '../../../clients/tool-links/tools.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { NameCandidate } from '../../support/known-names.ts'

export function completableProxy(tools: readonly NameCandidate[]): Command {
  const program = newProgram('contextd-proxy')
  for (const { value } of tools) {
    const purpose = linkedTools.find(({ name }) => name === value)?.purpose ?? ''
    const tool = newProgram(value).description(purpose)
    for (const option of optionsOf(value)) tool.addOption(option)
    program.addCommand(tool)
  }
  return program
}

function newProgram(name: string): Command {
  return new Command(name).helpCommand(false).option('--json', 'print the structured answer')
}

const parameters: Readonly<Record<string, JsonObject>> = toolParameters

function optionsOf(tool: string): Option[] {
  const properties = Object.hasOwn(parameters, tool) ? parameters[tool]?.properties : undefined
  return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, schema]) =>
    optionOf(name, schema as JsonObject),
  )
}

function optionOf(name: string, { type, enum: choices }: JsonObject): Option {
  if (type === 'boolean') return new Option(`--${name}`)
  const value = name === 'path' || name === 'cwd' ? 'path' : 'value'
  const option = new Option(`--${name} <${value}>`)
  // A list as the default marks a repeatable option.
  if (type === 'array') option.default([])
  return Array.isArray(choices) ? option.choices(choices.map(String)) : option
}
