/**
 * Checks the prose of comments, test names and documents: plain sentences, and the terms of docs/glossary.md. Released
 * migrations are not checked, because they are never edited.
 */
import { type Problem, read, type SourceFile, sources } from './files.js'

/** Maximum words of a sentence. */
const MAX_WORDS = 30

/** Matches sentences whose subject is a clause or an unknown person. Questions may begin with these words. */
const UNCLEAR_SUBJECT =
  /(?:^|[.!?;:]\s+)(?:What(?:ever)?|Who(?:ever)?|Whom|Whose|Nobody|Somebody|Those (?:that|who|of)|Of (?:what|who|whom|those))\b(?![^.]*\?)/

/** Former terms of this code base: a pattern, and the term that replaces it. */
const FORMER = (JSON.parse(read('bin/rules/former-terms.json')) as { pattern: string; term: string }[]).map(
  ({ pattern, term }) => [new RegExp(pattern, 'i'), term] as const,
)

/** Matches metaphors of buildings and people. */
const METAPHOR = /\b(?:houses?|rooms?|floors?|doors?|floor plans?|neighbou?rs?|clothes)\b/i

/** Files with former names that other releases know: tables, subjects of the bus, and these rules. */
const FORMER_NAMES =
  /^(?:packages\/contracts\/src\/kit\/older-names|services\/federation\/src\/core\/older-table-names\.store|services\/federation\/test\/delivery-store\.test|e2e\/upkeep\/jobs\.test|bin\/rules\/prose(?:\.test)?)\.ts$/

/** Matches generated files, and copies of documents of others. */
const NOT_WRITTEN_BY_HAND =
  /(?:^|\/)(?:generated|fixtures?|samples)\/|^k8s\/rendered\/|^k8s\/stores\/nats\/users\.conf$|^docs\/reference\//

interface Paragraph {
  readonly line: number
  readonly text: string
}

/** Replaces code: names in backticks, types of tags, and examples. */
const withoutCode = (text: string): string =>
  text.startsWith('@example') ? '' : text.replace(/`[^`]*`/g, '_').replace(/^(@\w+) \{.*\}/, '$1 _')
const COMMENT = /^\s*(?:\/\*\*?|\*(?!\/)|\/\/|--(?=\s)|#(?!!))\s?(.*?)(?:\*\/)?\s*$/
const TRAILING_COMMENT = /\s\/\/\s(.*)$/
const TEST_NAME = /\b(?:it|test|describe)(?:\.\w+)*\(\s*(['"`])(.*?)\1/

/** The prose of one line, or null. `isContinued`: the next line of prose may continue its sentence. */
const proseOf = (path: string, line: string): { text: string; isContinued: boolean } | null => {
  if (path.endsWith('.md')) {
    const isProse = line.trim() !== '' && !/^\s*(?:\||#| {4})/.test(line)
    return isProse ? { text: line.replace(/^[\s>*\d.-]+/, ''), isContinued: true } : null
  }
  const name = /\.ts$/.test(path) ? TEST_NAME.exec(line)?.[2] : undefined
  if (name !== undefined) {
    const sentence = name.replace(/^[A-Z]-?\d+[\d ,A-Z-]*\s*/, '')
    return { text: sentence.charAt(0).toUpperCase() + sentence.slice(1), isContinued: false }
  }
  const comment = COMMENT.exec(line)?.[1]
  if (comment !== undefined) return { text: comment.trim(), isContinued: !line.includes('*/') }
  const trailing = TRAILING_COMMENT.exec(line)?.[1]
  return trailing === undefined ? null : { text: trailing, isContinued: false }
}

/** Matches an entry of a list of variables: a name in capitals, and its description. */
const LABELLED = /^[A-Z][A-Z_]+(?:, [A-Z][A-Z_]+)* {2}/

/** Paragraphs of prose: lines that follow each other, up to a blank line, a list entry, a table or a tag. */
const paragraphsOf = ({ path, text }: SourceFile): Paragraph[] => {
  const found: { line: number; texts: string[] }[] = []
  let isOpen = false
  let isFenced = false
  for (const [index, line] of text.split('\n').entries()) {
    if (path.endsWith('.md') && /^\s*```/.test(line)) isFenced = !isFenced
    const prose = isFenced ? null : proseOf(path, line)
    const begins =
      prose !== null &&
      (!isOpen || /^(?:[-*|@]|\d+\.)/.test(prose.text) || (/^\s*(?:[-*]|\d+\.)\s/.test(line) && path.endsWith('.md')))
    if (prose !== null && prose.text !== '' && !prose.text.startsWith('|')) {
      const last = found.at(-1)
      if (begins || !last) found.push({ line: index + 1, texts: [prose.text] })
      else last.texts.push(prose.text)
      isOpen = prose.isContinued && !LABELLED.test(prose.text)
    } else isOpen = false
  }
  return found.map(({ line, texts }) => ({ line, text: withoutCode(texts.join(' ')) }))
}

/** Number of words, without names of code. */
const wordsOf = (sentence: string): number => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

const sentencesOf = (text: string): string[] => text.split(/(?<=[.!?])\s+/)

/** Problems of the prose of one file. */
export const proseProblems = (file: SourceFile): Problem[] => {
  const paragraphs = paragraphsOf(file)
  const at = ({ line }: Paragraph): string => `${file.path}:${line}`
  const problems = paragraphs.flatMap((one) => {
    const long = sentencesOf(one.text).filter((it) => wordsOf(it) > MAX_WORDS)
    return [
      ...long.map((it) => `${at(one)}: more than ${MAX_WORDS} words, divide the sentence: ${it.slice(0, 80)}…`),
      ...(UNCLEAR_SUBJECT.test(one.text) ? [`${at(one)}: name the subject: ${one.text.slice(0, 80)}`] : []),
      ...(METAPHOR.test(one.text) ? [`${at(one)}: a metaphor, name the thing itself: ${one.text.slice(0, 80)}`] : []),
    ]
  })
  if (FORMER_NAMES.test(file.path)) return problems
  const lines = file.path.endsWith('.md')
    ? paragraphs.map(({ line, text }) => [line, text] as const)
    : file.text.split('\n').map((text, index) => [index + 1, text] as const)
  const former = lines.flatMap(([line, text]) =>
    FORMER.filter(([pattern]) => pattern.test(text)).map(
      ([, term]) => `${file.path}:${line}: a former term, write ${term}: ${text.trim().slice(0, 80)}`,
    ),
  )
  return [...problems, ...former]
}

export const proseRules = (): Problem[] =>
  sources('*.ts', '*.mjs', '*.md', '*.sh', '*.yaml', '*.tpl', '*.conf')
    .filter(({ path }) => !NOT_WRITTEN_BY_HAND.test(path))
    .flatMap(proseProblems)
