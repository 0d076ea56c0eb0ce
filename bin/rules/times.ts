/** Checks that texts are read as times by `readTime` only, because `Date.parse` and `new Date` use the zone of the machine. */
import { type Problem, type SourceFile, sources } from './files.js'

/**
 * Matches files that are not checked: they pass only forms with a zone to `Date.parse`, or belong to the harness of
 * tests.
 */
const READERS =
  /^packages\/(?:text\/src\/read-time|activitypub\/src\/(?:vocabulary\/time|signatures\/window)|testkit\/.*)\.ts$/

/** Matches `Date.parse` of anything but a template that ends with `Z`. */
const PARSED = /\bDate\.parse\((?!`[^`]*Z`\))/g

/** Match an argument that is a literal text, and a literal text that ends with `Z`. */
const LITERAL = /^[`'"]/
const UTC_LITERAL = /^([`'"])[^`'"]*Z\1$/
/** Matches an argument of `new Date` that is a number by its form: it calculates with a number, or converts to one. */
const NUMERIC = /^\d|\b(?:now|ms|getTime|readTime|timeOf\w*|clock|Math|Number|Date\.UTC)\b|_MS\b|[*+-] ?\d|\d ?[*+-]/
/**
 * Matches names that stand for milliseconds since 1970. Texts have other names, such as `time`, `since`, `expires_at`
 * or `before`.
 */
const MILLISECONDS = /^(?:[\w.]+\.)?(?:at|\w+At|\w*[uU]ntil|next|start|made|from|to)$/

/** Texts between the parentheses of the calls that begin with `opening`. */
const argumentsOf = (text: string, opening: string): string[] => {
  const found: string[] = []
  for (let from = text.indexOf(opening); from >= 0; from = text.indexOf(opening, from + 1)) {
    const begin = from + opening.length
    let end = begin
    for (let depth = 1; end < text.length && depth > 0; end++)
      depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0
    found.push(text.slice(begin, end - 1))
  }
  return found
}

/** True if the argument is not a number by its form or its name. Several arguments are a time in the zone of the machine. */
const mayBeText = (argument: string): boolean => {
  if (argument.trim() === '') return false
  if (LITERAL.test(argument)) return !UTC_LITERAL.test(argument)
  return /^[\w.]+, /.test(argument) || !(NUMERIC.test(argument) || MILLISECONDS.test(argument))
}

/** Problems of one file: places that may read a text as a time in the zone of the machine. */
export const localTimes = ({ path, text }: SourceFile): Problem[] => {
  if (READERS.test(path) || /\.test\.ts$|\/test\//.test(path)) return []
  const dates = argumentsOf(text, 'new Date(').filter(mayBeText)
  return [
    ...[...text.matchAll(PARSED)].map(([found]) => `${path}: ${found}…) uses the zone of the machine: call readTime`),
    ...dates.map(
      (it) => `${path}: new Date(${it}) may use the zone of the machine: call readTime, or Number for a number`,
    ),
  ]
}

export const timeRules = (): Problem[] =>
  sources('packages/*/src/*.ts', 'services/*/src/*.ts', 'bin/*.ts')
    .filter((file) => !file.path.startsWith('bin/rules/'))
    .flatMap(localTimes)
