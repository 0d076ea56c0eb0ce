/** Checks that each file begins with its purpose, has a specific name, and is short. Exported functions of packages are documented. */
import { type Problem, type SourceFile, sources } from './files.js'

const MAX_LINES = 400
/** Matches files in folders of services that group code by kind instead of by noun. */
const BY_KIND = /^services\/[^/]+\/src\/(operations|reactions|jobs|ticks|domain|store|views|outside|changes)\//
const BANNED = /(^|\/)(utils?|helpers?|common|manager|base)(\.ts|\/)/

const firstLine = (file: SourceFile): Problem[] => {
  const line =
    (file.text.startsWith('#!') ? file.text.slice(file.text.indexOf('\n') + 1) : file.text)
      .trimStart()
      .split('\n', 1)[0] ?? ''
  return /^(\/\*\*?|\/\/|#|--)/.test(line)
    ? []
    : [`${file.path} does not begin with a sentence that says what it is for`]
}

const length = (file: SourceFile): Problem[] => {
  const lines = file.text.split('\n').length - 1
  return lines > MAX_LINES && !/\.test\.ts$|\/test\/|generated|table\.ts$/.test(file.path)
    ? [`${file.path} has ${lines} lines: split it by noun or verb (${MAX_LINES} at most)`]
    : []
}

const named = (file: SourceFile): Problem[] => {
  const problems: Problem[] = []
  const name = file.path.split('/').at(-1) ?? ''
  if (BANNED.test(file.path)) problems.push(`${file.path}: this name says nothing; name it for what it does`)
  if (
    !/^[a-z0-9]+(-[a-z0-9]+)*(\.(operation|reaction|job|tick|rules|view|store|client))?(\.(test|slow|golden|d|config|inside))*\.(ts|mjs)$/.test(
      name,
    )
  )
    problems.push(`${file.path} is not in kebab-case`)
  if (BY_KIND.test(file.path)) problems.push(`${file.path}: services group code by noun, not by kind`)
  return problems
}

/** Matches an export whose value begins as a function. */
const EXPORTED_FUNCTION = /^export (?:const (\w+)(?:: [^=]+)? =(?: (?:async )?[<(]|$)|(?:async )?function (\w+))/

/**
 * Problems of exported functions in `src` of packages without a comment directly before them. Overloads of a function need one
 * comment.
 */
const documented = (file: SourceFile): Problem[] => {
  if (!/^packages\/[^/]+\/src\//.test(file.path) || file.path.endsWith('.test.ts')) return []
  const lines = file.text.split('\n')
  const known = new Set<string>()
  return lines.flatMap((line, i) => {
    const match = EXPORTED_FUNCTION.exec(line)
    const name = match?.[1] ?? match?.[2]
    if (name === undefined || known.has(name)) return []
    known.add(name)
    return /\*\/$|^\s*\/\/ biome-ignore/.test(lines[i - 1] ?? '')
      ? []
      : [`${file.path}: ${name} has no comment: say what it returns, with units and errors`]
  })
}

const honest = (file: SourceFile): Problem[] => {
  const problems: Problem[] = []
  if (/\b(it|test|describe)\.(skip|only|todo)\b/.test(file.text) && /\.test\.ts$/.test(file.path))
    problems.push(`${file.path} skips or focuses a test`)
  if (/\b(FIXME|XXX)\b|\bTODO\b(?!\(#\d+\))/.test(file.text) && !/bin\/rules\//.test(file.path))
    problems.push(`${file.path} leaves something open: finish it, or TODO(#issue)`)
  return problems
}

/** All problems of these files with their shape. */
export const shapeProblems = (files: readonly SourceFile[]): Problem[] =>
  files.flatMap((file) => [...firstLine(file), ...length(file), ...named(file), ...documented(file), ...honest(file)])

export const shapeRules = (): Problem[] => {
  const code = sources(
    'packages/*/src/*.ts',
    'packages/*/test/*.ts',
    'services/*/src/*.ts',
    'services/*/test/*.ts',
    'e2e/*.ts',
    'bench/*.ts',
    'bin/*.ts',
    'bin/*.mjs',
  )
  const unique = [...new Map(code.map((file) => [file.path, file])).values()]
  return shapeProblems(unique)
}
