/** Environment variables that do not deny what they seem to deny. */

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { parseJson } from '@contextd/shared/json/json-source'
import { variablePlace } from '../../files/client-files.ts'
import type { FindingDetails, LintRule } from '../../findings/finding.ts'
import { isAction } from '../ruleset.ts'
import { configsOf, type OpenCodeConfig, type OpenCodeSetup } from '../setup.ts'
import { sourcePlace } from '../written.ts'
import { quote } from './wording.ts'

const variable: LintRule<OpenCodeSetup> = {
  id: 'opencode-permission-variable',
  severity: 'error',
  title: '`OPENCODE_PERMISSION` has a value that OpenCode does not accept',
  why: `The variable \`OPENCODE_PERMISSION\` overrides every file, even the administrator's, and unlike a file it is not validated. If it is not JSON, OpenCode ignores it and reports that only in its log. A single word such as \`"deny"\`, which is valid in a file, denies nothing there: write \`{"*": "deny"}\`. For any word other than \`allow\`, \`ask\` and \`deny\` the client asks, even if \`forbid\` or \`Deny\` was meant to deny. The \`permission\` of an agent still overrides it.`,
  *check(setup) {
    for (const source of configsOf(setup)) if (source.isUnchecked) yield* faultsIn(source, setup)
  },
}

function* faultsIn(source: OpenCodeConfig, setup: OpenCodeSetup): Generator<FindingDetails> {
  const read = parseJson(source.text, { duplicates: true })
  const { file } = source
  if (!read.ok) {
    yield {
      file,
      line: read.line,
      column: read.column,
      message: `This is not JSON (${read.message}): OpenCode ignores it, and nothing in it is denied.`,
      fix: 'Write an object, such as `{"bash": "deny"}`.',
    }
    return
  }
  if (!isJsonObject(read.value)) {
    const shown = quote(JSON.stringify(read.value), setup)
    yield {
      file,
      line: 1,
      column: 1,
      message: `${shown} is not an object: OpenCode ignores it, and nothing is denied.`,
      fix: isAction(read.value)
        ? `Write \`{"*": "${read.value}"}\`.`
        : 'Write an object, such as `{"bash": "deny"}`.',
    }
    return
  }
  for (const [tool, rule] of Object.entries(read.value)) {
    const words: [string[], Json][] = isJsonObject(rule)
      ? Object.entries(rule).map(([pattern, word]) => [[tool, pattern], word])
      : [[[tool], rule]]
    for (const [path, word] of words) {
      if (isAction(word)) continue
      yield {
        ...sourcePlace(source, ['permission', ...path]),
        message: `${quote(JSON.stringify(word), setup)} is not one of the words allow, ask and deny: OpenCode does not deny it.`,
        fix: 'Write one of these words.',
      }
    }
  }
}

const withoutProject: LintRule<OpenCodeSetup> = {
  id: 'opencode-project-ignored',
  severity: 'warning',
  title: 'the environment keeps OpenCode from reading the project configuration',
  why: `With \`OPENCODE_DISABLE_PROJECT_CONFIG=1\` OpenCode reads neither \`opencode.json\` nor \`.opencode\` of the project. The variable exists so that the client can start in a project with a broken file. While it is set, no deny rule of the project applies. Unset it, or move the rules you need to your own configuration.`,
  *check({ skipped }) {
    const restrictive = skipped.find(({ value }) =>
      /"(?:deny|ask)"|false/.test(JSON.stringify([value.permission, value.tools])),
    )
    if (restrictive === undefined) return
    yield {
      file: variablePlace('OPENCODE_DISABLE_PROJECT_CONFIG'),
      line: 1,
      column: 1,
      message: `OpenCode does not read ${restrictive.file}: what it denies is open.`,
      fix: 'Unset the variable, or add these rules to your own `opencode.json`.',
    }
  },
}

export const environmentRules = [variable, withoutProject]
