/** Variables of the environment that do not close what they look as if they closed. */

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
  why: `What stands in the variable \`OPENCODE_PERMISSION\` comes over every file, the administrator's too, and other than a file it is not checked. Where it is no JSON, OpenCode goes on without it and says so in its log only. One word, such as \`"deny"\`, which a file may have for everything, denies nothing there: write \`{"*": "deny"}\`. Of a word that is none of \`allow\`, \`ask\` and \`deny\` the client asks, also where \`forbid\` or \`Deny\` was meant to deny. An agent that has a \`permission\` of its own has the last word all the same.`,
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
      message: `${shown} is no object: OpenCode takes nothing from it, and nothing is denied.`,
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
        message: `${quote(JSON.stringify(word), setup)} is none of the words allow, ask and deny: OpenCode does not deny it.`,
        fix: 'Write one of these words.',
      }
    }
  }
}

const withoutProject: LintRule<OpenCodeSetup> = {
  id: 'opencode-project-ignored',
  severity: 'warning',
  title: 'the environment keeps OpenCode from reading the project configuration',
  why: `With \`OPENCODE_DISABLE_PROJECT_CONFIG=1\` OpenCode reads neither \`opencode.json\` nor \`.opencode\` of the project. It is there to get a client started whose project has a broken file. While it is set, no deny of the project applies. Unset it, or say what must hold in a file of your own.`,
  *check({ skipped }) {
    const closing = skipped.find(({ value }) =>
      /"(?:deny|ask)"|false/.test(JSON.stringify([value.permission, value.tools])),
    )
    if (closing === undefined) return
    yield {
      file: variablePlace('OPENCODE_DISABLE_PROJECT_CONFIG'),
      line: 1,
      column: 1,
      message: `OpenCode does not read ${closing.file}: what it denies is open.`,
      fix: 'Unset the variable, or put these rules into your own `opencode.json`.',
    }
  },
}

export const environmentRules = [variable, withoutProject]
